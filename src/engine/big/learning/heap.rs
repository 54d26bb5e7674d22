//! The unassigned variables, the most active first.

/// A binary heap of variables by activity, with each variable's place in it.
#[derive(Clone, Debug)]
pub struct Heap {
    activity: Vec<f64>,
    step: f64,
    decay: f64,
    order: Vec<u32>,
    /// By variable: its place in `order`, or [`ABSENT`].
    place: Vec<u32>,
}

const ABSENT: u32 = u32::MAX;

impl Heap {
    /// All variables with equal activity, in the order of their numbers.
    pub fn new(variables: usize, decay: f64) -> Self {
        Heap {
            activity: vec![0.0; variables],
            step: 1.0,
            decay,
            order: (0..variables as u32).collect(),
            place: (0..variables as u32).collect(),
        }
    }

    pub fn bump(&mut self, variable: usize) {
        self.activity[variable] += self.step;
        if self.activity[variable] > 1e100 {
            for activity in &mut self.activity {
                *activity *= 1e-100;
            }
            self.step *= 1e-100;
        }
        let at = self.place[variable];
        if at != ABSENT {
            self.rise(at as usize);
        }
    }

    /// Decays all activities relative to future bumps.
    pub fn decay(&mut self) {
        self.step /= self.decay;
    }

    pub fn insert(&mut self, variable: usize) {
        if self.place[variable] == ABSENT {
            self.place[variable] = self.order.len() as u32;
            self.order.push(variable as u32);
            self.rise(self.order.len() - 1);
        }
    }

    pub fn pop(&mut self) -> Option<usize> {
        let top = *self.order.first()? as usize;
        self.place[top] = ABSENT;
        let last = self.order.pop()?;
        if !self.order.is_empty() {
            self.order[0] = last;
            self.place[last as usize] = 0;
            self.sink(0);
        }
        Some(top)
    }

    fn rise(&mut self, mut at: usize) {
        let variable = self.order[at];
        let activity = self.activity[variable as usize];
        while at > 0 {
            let above = (at - 1) / 2;
            let other = self.order[above];
            if self.activity[other as usize] >= activity {
                break;
            }
            self.order[at] = other;
            self.place[other as usize] = at as u32;
            at = above;
        }
        self.order[at] = variable;
        self.place[variable as usize] = at as u32;
    }

    fn sink(&mut self, mut at: usize) {
        let variable = self.order[at];
        let activity = self.activity[variable as usize];
        loop {
            let mut below = 2 * at + 1;
            if below >= self.order.len() {
                break;
            }
            if below + 1 < self.order.len()
                && self.activity[self.order[below + 1] as usize]
                    > self.activity[self.order[below] as usize]
            {
                below += 1;
            }
            let other = self.order[below];
            if self.activity[other as usize] <= activity {
                break;
            }
            self.order[at] = other;
            self.place[other as usize] = at as u32;
            at = below;
        }
        self.order[at] = variable;
        self.place[variable as usize] = at as u32;
    }
}
