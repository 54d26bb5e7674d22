//! The state machine under random interleavings.

use super::super::protocol::Requirement;
use super::*;
use proptest::prelude::*;
use std::collections::HashSet;

/// After a failure, all later cases of the submission are irrelevant, or none. Cases are equal if
/// their numbers have the same remainder.
#[derive(Clone, Debug)]
struct Fixed {
    ends_at_first: bool,
    alike_by: Option<usize>,
    counts: Vec<usize>,
}

impl Cases for Fixed {
    fn irrelevant_after(&self, (submission, failed): CaseAt) -> Vec<usize> {
        let behind = failed + 1..self.counts[submission];
        behind.filter(|_| self.ends_at_first).collect()
    }

    fn equal_to(&self, (submission, case): CaseAt) -> Box<dyn Iterator<Item = (usize, bool)> + '_> {
        let others = (0..self.counts[submission]).filter(move |&other| other != case);
        let same = move |other: &usize| self.alike_by.is_some_and(|by| *other % by == case % by);
        Box::new(others.filter(same).map(|other| (other, true)))
    }
}

fn facts() -> impl Strategy<Value = Facts> {
    let flags = proptest::array::uniform6(any::<bool>());
    (0..6_usize, flags).prop_map(
        |(cases, [known, first, early, thorough, slow, needs])| Facts {
            cases,
            is_known: known && thorough,
            starts_first: first,
            ends_early: early,
            thorough,
            may_be_slow: slow,
            // The second half requires the first case.
            requirements: match cases {
                2.. if needs => vec![Requirement {
                    dependents: cases.div_ceil(2)..cases,
                    required: 0..1,
                }],
                _ => Vec::new(),
            },
        },
    )
}

#[derive(Clone, Debug)]
struct Plan {
    submissions: Vec<Facts>,
    rules: Rules,
    cases: Fixed,
    /// Which of the running pieces ends next, and how; repeated when used up.
    choices: Vec<(usize, u8)>,
    /// Number of pieces of work that end before an interrupt.
    interrupt: Option<usize>,
}

fn plans() -> impl Strategy<Value = Plan> {
    let submissions = proptest::collection::vec(facts(), 0..5);
    let rules = (1..5_usize, any::<bool>(), any::<bool>());
    let cases = (any::<bool>(), proptest::option::of(1..4_usize));
    let choices = proptest::collection::vec((0..8_usize, any::<u8>()), 1..40);
    let interrupt = proptest::option::of(0..20_usize);
    (submissions, rules, cases, choices, interrupt).prop_map(
        |(submissions, (workers, repeats, fail_fast), (ends, alike_by), choices, interrupt)| Plan {
            cases: Fixed {
                ends_at_first: ends,
                alike_by,
                counts: submissions.iter().map(|facts| facts.cases).collect(),
            },
            submissions,
            rules: Rules {
                workers,
                repeats,
                fail_fast,
                elsewhere: false,
            },
            choices,
            interrupt,
        },
    )
}

/// Workers that finish their work in any order.
struct Simulation {
    state: StateMachine<Fixed>,
    plan: Plan,
    running: Vec<Work>,
    cancelled: HashSet<CaseAt>,
    /// Cases that were run and not cancelled.
    ran: HashSet<CaseAt>,
    /// Cases whose run ended with a result that time could have changed.
    by_time: HashSet<CaseAt>,
    decided: Vec<CaseAt>,
    failed: HashSet<CaseAt>,
    finished: Vec<usize>,
    ready: HashSet<usize>,
}

impl Simulation {
    fn apply(&mut self, step: Step) -> Result<(), TestCaseError> {
        for work in step.work {
            self.running.push(work);
            let alone = |work: &Work| matches!(work, Work::Case { alone: true, .. });
            if self.running.iter().any(alone) {
                prop_assert_eq!(self.running.len(), 1, "alone is alone: {:?}", self.running);
            }
            prop_assert!(self.running.len() <= self.plan.rules.workers);
            if let Work::Case { at, alone: true } = work {
                prop_assert!(self.by_time.contains(&at), "a second try for chance");
            }
            if let Work::Grade(submission) = work {
                let mut running = self.running.iter();
                let has_case = running.any(|work| work.is_case_of(submission));
                prop_assert!(!has_case, "graded while a case runs");
            }
        }
        for notice in step.notices {
            match notice {
                Notice::Started((submission, case)) => {
                    let mut requirements = self.plan.submissions[submission].requirements.iter();
                    let requires = requirements.any(|one| one.dependents.contains(&case));
                    let at = (submission, 0);
                    prop_assert!(!requires || self.decided.contains(&at), "too early");
                    prop_assert!(
                        !requires || !self.failed.contains(&at),
                        "required one failed"
                    );
                }
                Notice::Decided { at, like } => {
                    prop_assert!(!self.decided.contains(&at), "decided twice");
                    match like {
                        None => prop_assert!(self.ran.contains(&at)),
                        Some(like) => prop_assert!(self.decided.contains(&(at.0, like))),
                    }
                    self.decided.push(at);
                    if let Phase::Decided(CaseDecision {
                        accepted: false, ..
                    }) = self.state.progress[at.0].phases[at.1]
                    {
                        self.failed.insert(at);
                    }
                }
                Notice::Finished(submission) => self.finished.push(submission),
            }
        }
        self.cancelled.extend(step.cancel);
        Ok(())
    }

    /// The input that ends a piece of work.
    fn end(&mut self, work: Work, how: u8, stopped: bool) -> Input {
        let bit = |k: u8| how & (1 << k) != 0;
        match work {
            _ if stopped => Input::Stopped(work),
            Work::Prepare(submission) => {
                let ready = !how.is_multiple_of(8);
                if ready {
                    self.ready.insert(submission);
                }
                Input::Prepared { submission, ready }
            }
            Work::Case { at, .. } if self.cancelled.remove(&at) && bit(7) => Input::Ran(at, None),
            Work::Case { at, .. } => {
                self.ran.insert(at);
                if !bit(0) && bit(6) {
                    self.by_time.insert(at);
                }
                let result = CaseDecision {
                    accepted: bit(0),
                    by_time: !bit(0) && bit(6),
                    doubtful: bit(1) && bit(2),
                    too_slow: !bit(0) && bit(3),
                    scored: bit(4),
                    undisturbed: false,
                };
                Input::Ran(at, Some(result))
            }
            Work::Grade(submission) => Input::Graded {
                submission,
                as_expected: bit(5),
            },
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_interleaving_decides_each_case_once_and_keeps_the_order(plan in plans()) {
        check_interleaving(&plan)?;
    }
}

/// Runs the plan to its end and checks what the state machine asked for and reported.
fn check_interleaving(plan: &Plan) -> Result<(), TestCaseError> {
    let state = StateMachine::new(plan.submissions.clone(), plan.rules, plan.cases.clone());
    let mut simulation = Simulation {
        state,
        plan: plan.clone(),
        running: Vec::new(),
        cancelled: HashSet::new(),
        ran: HashSet::new(),
        by_time: HashSet::new(),
        decided: Vec::new(),
        failed: HashSet::new(),
        finished: Vec::new(),
        ready: HashSet::new(),
    };
    let step = simulation.state.on(Input::Start);
    simulation.apply(step)?;
    let mut ended = 0;
    while !simulation.running.is_empty() {
        prop_assert!(ended < 1000, "it does not end");
        let (which, how) = plan.choices[ended % plan.choices.len()];
        let work = simulation.running.remove(which % simulation.running.len());
        // The signal reaches all running work; a piece may have ended before.
        let stopped = plan
            .interrupt
            .is_some_and(|at| ended == at || ended > at && how.is_multiple_of(3));
        let input = simulation.end(work, how, stopped);
        let step = simulation.state.on(input);
        if simulation.state.interrupted {
            prop_assert!(step.work.is_empty(), "nothing is begun after an interrupt");
        }
        simulation.apply(step)?;
        ended += 1;
    }
    prop_assert!(simulation.state.is_over());
    // Submissions are reported in the order of the plan.
    let in_order: Vec<usize> = (0..simulation.finished.len()).collect();
    prop_assert_eq!(&simulation.finished, &in_order);
    let decided: HashSet<CaseAt> = simulation.decided.iter().copied().collect();
    if simulation.state.interrupted {
        // All results are reported, except those of irrelevant cases that waited to run alone.
        for (submission, case) in &simulation.ran {
            let is_put_off = simulation.state.progress[*submission].irrelevant[*case];
            prop_assert!(
                is_put_off || decided.contains(&(*submission, *case)),
                "lost"
            );
        }
        return Ok(());
    }
    prop_assert_eq!(simulation.finished.len(), plan.submissions.len());
    for (submission, facts) in plan.submissions.iter().enumerate() {
        let failed = plan.rules.fail_fast;
        let ready = simulation.ready.contains(&submission);
        let own = (0..facts.cases)
            .filter(|case| decided.contains(&(submission, *case)))
            .count();
        if !ready {
            prop_assert_eq!(own, 0);
        } else if facts.thorough && !failed {
            let barred = simulation.state.progress[submission].barred_by.iter();
            let barred = barred.flatten().count();
            prop_assert_eq!(own + barred, facts.cases, "a case was left out");
        } else if facts.cases > 0 {
            prop_assert!(own > 0);
        }
    }
    Ok(())
}

/// The interleaving in which the property test failed: case 2 is run and postponed as irrelevant,
/// grading makes it relevant again, and the interrupt comes before its second run.
#[test]
fn an_interrupt_keeps_the_first_result_of_a_postponed_case() {
    let facts = |cases, starts_first| Facts {
        cases,
        starts_first,
        ..Facts::default()
    };
    let plan = Plan {
        submissions: vec![facts(0, true), facts(3, false)],
        rules: Rules {
            workers: 2,
            repeats: true,
            ..Rules::default()
        },
        cases: Fixed {
            ends_at_first: true,
            alike_by: None,
            counts: vec![0, 3],
        },
        choices: vec![
            (0, 41),
            (6, 1),
            (1, 182),
            (0, 0),
            (0, 31),
            (1, 28),
            (0, 176),
            (0, 128),
        ],
        interrupt: Some(8),
    };
    check_interleaving(&plan).expect("no result is lost");
}

/// Two submissions with these cases, and as many workers as the rules say.
fn state(cases: &[usize], workers: usize) -> StateMachine<Fixed> {
    let facts = |&cases: &usize| Facts {
        cases,
        thorough: true,
        ..Facts::default()
    };
    let rules = Rules {
        workers,
        repeats: true,
        ..Rules::default()
    };
    let fixed = Fixed {
        ends_at_first: false,
        alike_by: None,
        counts: cases.to_vec(),
    };
    StateMachine::new(cases.iter().map(facts).collect(), rules, fixed)
}

const ACCEPTED: CaseDecision = CaseDecision {
    accepted: true,
    by_time: false,
    doubtful: false,
    too_slow: false,
    scored: false,
    undisturbed: false,
};

const DOUBTFUL: CaseDecision = CaseDecision {
    accepted: false,
    by_time: true,
    doubtful: true,
    ..ACCEPTED
};

fn ran(submission: usize, case: usize, result: CaseDecision) -> Input {
    Input::Ran((submission, case), Some(result))
}

fn case(submission: usize, case: usize, alone: bool) -> Work {
    let at = (submission, case);
    Work::Case { at, alone }
}

fn ready(submission: usize) -> Input {
    let ready = true;
    Input::Prepared { submission, ready }
}

#[test]
fn no_case_compiler_or_grader_runs_next_to_a_case_that_runs_alone() {
    let mut state = state(&[1, 2, 1], 2);
    assert_eq!(state.on(Input::Start).work, [0, 1].map(Work::Prepare));
    assert_eq!(state.on(ready(1)).work, [case(1, 0, false)]);
    assert_eq!(state.on(ready(0)).work, [case(0, 0, false)]);
    // The other case still runs, and the compiler must wait.
    assert_eq!(state.on(ran(1, 0, DOUBTFUL)).work, []);
    // So must the grader of the first submission.
    assert_eq!(state.on(ran(0, 0, ACCEPTED)).work, [case(1, 0, true)]);
    let after = state.on(ran(1, 0, ACCEPTED)).work;
    assert_eq!(after, [Work::Grade(0), case(1, 1, false)]);
}

#[test]
fn an_interrupt_keeps_the_first_result_of_a_case_that_waits_to_be_run_alone() {
    let mut state = state(&[2], 2);
    state.on(Input::Start);
    state.on(ready(0));
    assert_eq!(state.on(ran(0, 0, DOUBTFUL)).notices, []);
    let step = state.on(Input::Stopped(case(0, 1, false)));
    let (at, like) = ((0, 0), None);
    let decided = Notice::Decided { at, like };
    assert_eq!((step.notices, step.work), (vec![decided], vec![]));
    assert!(state.is_over());
}
