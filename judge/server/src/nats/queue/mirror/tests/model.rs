//! Several mirrors of one stream, in random interleavings: no unit is lost or finished twice.

use super::*;
use proptest::prelude::*;

/// A stream that keeps the last message of each unit, and processes that follow it late.
#[derive(Default)]
struct World {
    stream: HashMap<String, (u64, Value)>,
    last: u64,
    processes: Vec<Process>,
    tokens: u64,
    added: usize,
    finished: usize,
}

#[derive(Default)]
struct Process {
    mirror: Mirror,
    now: Duration,
    /// Messages that are on their way to it.
    inbox: VecDeque<(u64, Value)>,
    held: Vec<(String, String)>,
}

impl World {
    fn put(&mut self, value: &Value, expected: u64) -> Option<u64> {
        let id = value.id().to_owned();
        if self.stream.get(&id).map_or(0, |(revision, _)| *revision) != expected {
            return None;
        }
        self.last += 1;
        self.stream.insert(id, (self.last, value.clone()));
        for process in &mut self.processes {
            process.inbox.push_back((self.last, value.clone()));
        }
        Some(self.last)
    }

    fn add(&mut self, p: usize, id: &str, share: usize) {
        let class = Priority::ALL[share % Priority::ALL.len()];
        let unit = Unit {
            share: format!("share {share}"),
            ..record(id, 0, class, None).unit
        };
        let (rank, _) = self.processes[p].mirror.place(&unit);
        let expected = match self.stream.get(&unit.id) {
            Some((_, Value::Unit(_))) => return,
            Some((revision, Value::Finished { .. })) => *revision,
            None => 0,
        };
        self.added += 1;
        self.put(&Value::Unit(Record::new(&unit, rank)), expected)
            .expect("the revision is right");
    }

    fn lease(&mut self, p: usize) {
        let process = &mut self.processes[p];
        let now = process.now;
        let Some(choice) = process.mirror.choose(now) else {
            return;
        };
        let id = choice.record.unit.id.clone();
        self.tokens += 1;
        let token = self.tokens.to_string();
        let value = leased(&choice.record, &token, 10 * SECOND);
        match self.put(&value, choice.revision) {
            Some(revision) => {
                let process = &mut self.processes[p];
                process.mirror.apply(revision, value, now, 0);
                process.held.push((id, token));
            }
            None => self.refresh(p, &id, choice.revision),
        }
    }

    fn refresh(&mut self, p: usize, id: &str, revision: u64) {
        let last = self.stream.get(id).cloned();
        let process = &mut self.processes[p];
        process.mirror.correct(id, revision);
        if let Some((revision, value)) = last {
            process.mirror.apply(revision, value, process.now, 0);
        }
    }

    /// A holder changes its unit; whether it succeeds is compared with the stream.
    fn settle(&mut self, p: usize, kind: u8) {
        let process = &mut self.processes[p];
        let Some((id, token)) = process.held.pop() else {
            return;
        };
        let now = process.now;
        let Some(held) = process.mirror.leased(&id, &token, now) else {
            return;
        };
        let holds = match self.stream.get(&id) {
            Some((_, Value::Unit(record))) => record.is_leased_by(&token),
            _ => false,
        };
        let phase = |phase| {
            Value::Unit(Record {
                phase,
                ..held.record.clone()
            })
        };
        let value = match kind % 4 {
            0 => phase(Phase::Delayed(5000)),
            1 => phase(Phase::Waiting),
            2 => leased(&held.record, &token, 10 * SECOND),
            _ => finished(&id),
        };
        let put = self.put(&value, held.revision);
        assert_eq!(
            put.is_some(),
            holds,
            "the mirror held revision {}",
            held.revision
        );
        match put {
            Some(revision) => {
                self.finished += usize::from(matches!(value, Value::Finished { .. }));
                let process = &mut self.processes[p];
                process.mirror.apply(revision, value, now, 0);
                if kind % 4 == 2 {
                    process.held.push((id, token));
                }
            }
            None => self.refresh(p, &id, held.revision),
        }
    }

    fn receive(&mut self, p: usize, count: usize) {
        for _ in 0..count {
            let process = &mut self.processes[p];
            let Some((revision, value)) = process.inbox.pop_front() else {
                return;
            };
            let id = value.id();
            // The server does not deliver what was replaced or deleted meanwhile, most of the time.
            let is_replaced = self
                .stream
                .get(id)
                .is_none_or(|(last, _)| *last != revision);
            if !(is_replaced && revision % 3 > 0) {
                process.mirror.apply(revision, value, process.now, 0);
            }
        }
    }

    /// The connection was lost and is established again, or the process is a new one.
    fn read_again(&mut self, p: usize, is_new: bool) {
        let process = &mut self.processes[p];
        if is_new {
            *process = Process::default();
        }
        process.inbox.clear();
        process.mirror.begin_reading(self.last);
        for (revision, value) in self.stream.values() {
            process
                .mirror
                .apply(*revision, value.clone(), process.now, 0);
        }
        process.mirror.end_reading();
    }

    fn delete_finished(&mut self, p: usize) {
        let process = &mut self.processes[p];
        for gone in process.mirror.take_finished(2) {
            self.stream.retain(|_, (revision, _)| *revision != gone);
        }
    }

    fn act(&mut self, kind: u8, p: usize, k: usize) {
        match kind % 16 {
            0..3 => self.add(p, &format!("unit {k}"), k % 7),
            3..7 => self.lease(p),
            7..10 => self.settle(p, k as u8),
            10..12 => self.receive(p, k),
            12 => self.processes[p].now += SECOND * (k as u32 % 12),
            13 => self.delete_finished(p),
            14 => self.read_again(p, false),
            _ => self.read_again(p, true),
        }
        let process = &mut self.processes[p];
        process.mirror.check(process.now);
    }

    fn queued(&self) -> usize {
        let is_unit = |(_, value): &&(u64, Value)| matches!(value, Value::Unit(_));
        self.stream.values().filter(is_unit).count()
    }
}

impl Mirror {
    /// Compares the indices with the entries.
    fn check(&mut self, now: Duration) {
        self.tick(now);
        let entries = || {
            let entries = self.slots.iter();
            entries.filter_map(|(id, slot)| Some((id, slot.entry.as_ref()?)))
        };
        let of = |is: fn(State) -> bool| entries().filter(|(_, e)| is(e.state)).count();
        let ready = entries().filter(|(_, e)| e.state == State::Ready);
        let mut places: Vec<Place> = ready.map(|(id, entry)| entry.place(id)).collect();
        places.sort();
        let mut ready: Vec<Place> = self.ready.values().flatten().cloned().collect();
        ready.sort();
        assert_eq!(ready, places);
        let leased = of(|s| matches!(s, State::Leased(_)));
        let delayed = of(|s| matches!(s, State::Delayed(_)));
        assert_eq!(self.due.len(), leased + delayed);
        assert!(self.due.iter().all(|(at, _)| *at > now));
        let counts = Counts {
            waiting: places.len() + delayed + of(|s| s == State::Chosen),
            leased,
            parked: of(|s| s == State::Parked),
        };
        assert_eq!(self.counts, counts);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn no_unit_is_lost_or_finished_twice(
        acts in prop::collection::vec((any::<u8>(), 0_usize..3, 0_usize..24), 1..400)
    ) {
        let mut world = World::default();
        world.processes.resize_with(3, Process::default);
        for (kind, p, k) in acts {
            world.act(kind, p, k);
        }
        prop_assert_eq!(world.added - world.finished, world.queued());
        // One process remains, receives everything, and outlasts all leases.
        world.receive(0, usize::MAX);
        world.read_again(0, false);
        let rest = world.queued();
        let process = &mut world.processes[0];
        prop_assert_eq!(process.mirror.list(usize::MAX, process.now, 0).len(), rest);
        for _ in 0..4 * rest {
            world.processes[0].now += 20 * SECOND;
            world.lease(0);
            world.settle(0, 3);
        }
        prop_assert_eq!(world.queued(), 0);
        prop_assert_eq!(world.added, world.finished);
    }
}
