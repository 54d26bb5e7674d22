//! The subject of a clarification: a problem, a category of the contest, or the contest in general.

use super::parts::options;
use crate::http::{Result, bad_request};
use crate::store::{Clarification, Contest, ContestProblem, ProblemId};

/// The subject of a clarification; by default, the contest in general.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Subject {
    pub problem: Option<ProblemId>,
    pub category: Option<String>,
}

/// The choices of a contest: value and text. Categories come before problems.
pub fn subjects(contest: &Contest, problems: &[ContestProblem]) -> Vec<(String, String)> {
    let categories = contest.clarification_categories.0.iter();
    let categories = categories.map(|name| (format!("category {name}"), name.clone()));
    let problem = |own: &ContestProblem| {
        let text = format!("{} {}", own.label, own.name);
        (format!("problem {}", own.label), text)
    };
    options("General", categories.chain(problems.iter().map(problem)))
}

impl Subject {
    /// The subject that one of the values of [`subjects`] stands for.
    pub fn read(contest: &Contest, problems: &[ContestProblem], value: &str) -> Result<Self> {
        let unknown = || bad_request(format!("a clarification cannot be about {value:?}"));
        match value.split_once(' ') {
            None if value.is_empty() => Ok(Subject::default()),
            Some(("problem", label)) => {
                let found = problems.iter().find(|own| own.label == label);
                Ok(Subject {
                    problem: Some(found.ok_or_else(unknown)?.problem),
                    category: None,
                })
            }
            Some(("category", name)) => {
                let mut known = contest.clarification_categories.0.iter();
                let found = known.find(|own| *own == name).ok_or_else(unknown)?;
                Ok(Subject {
                    problem: None,
                    category: Some(found.clone()),
                })
            }
            _ => Err(unknown()),
        }
    }

    pub fn of(clarification: &Clarification) -> Self {
        Subject {
            problem: clarification.problem.as_ref().map(|(id, _)| *id),
            category: clarification.category.clone(),
        }
    }

    /// Its problem; `None` if that left the contest.
    fn problem_in<'p>(&self, problems: &'p [ContestProblem]) -> Option<&'p ContestProblem> {
        let mut problems = problems.iter();
        problems.find(|own| Some(own.problem) == self.problem)
    }

    /// Its value among [`subjects`]; empty for a problem that left the contest.
    pub fn value(&self, problems: &[ContestProblem]) -> String {
        match (self.problem_in(problems), &self.category) {
            (Some(problem), _) => format!("problem {}", problem.label),
            (None, Some(name)) => format!("category {name}"),
            (None, None) => String::new(),
        }
    }

    /// Its name for people.
    pub fn text(&self, problems: &[ContestProblem]) -> String {
        match (self.problem_in(problems), &self.category) {
            (Some(problem), _) => format!("{} {}", problem.label, problem.name),
            (None, Some(name)) => name.clone(),
            (None, None) => "General".to_owned(),
        }
    }
}
