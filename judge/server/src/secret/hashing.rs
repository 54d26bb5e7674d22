//! Hashes of passwords: argon2id, at most one computation per core at a time.
//!
//! A computation fills 19 MiB, and anybody may ask for one by signing in. Each needs a slot; there are as many as
//! cores, each with memory that is used again. The number of callers that wait for a slot is bounded.

use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use judge_core::parallel::unpoisoned;
use std::fmt::Display;
use std::io;
use std::sync::{Condvar, LazyLock, Mutex};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

/// Maximum number of callers that wait. Each of them holds one of the 512 threads that answer requests.
const MAX_WAITING: usize = 200;
/// How long a caller waits at most.
const MAX_WAIT: Duration = Duration::from_secs(10);

/// Too many callers wait for a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Busy;

/// The slots of this process.
static SLOTS: LazyLock<Slots> =
    LazyLock::new(|| Slots::new(available_parallelism().map_or(1, usize::from)));

struct Slots {
    count: usize,
    state: Mutex<Waiting>,
    freed: Condvar,
}

#[derive(Default)]
struct Waiting {
    /// The subjects of the running computations.
    running: Vec<String>,
    waiting: usize,
    /// Memory of earlier computations.
    memory: Vec<Vec<Block>>,
}

impl Slots {
    fn new(count: usize) -> Self {
        Slots {
            count,
            state: Mutex::default(),
            freed: Condvar::new(),
        }
    }

    /// Waits for a slot. Slots of one subject that is not empty follow each other: the second caller may use what the first
    /// found out.
    fn take(&self, subject: String, limits: Option<(usize, Duration)>) -> Result<Slot<'_>, Busy> {
        let mut state = unpoisoned(self.state.lock());
        let is_free = |state: &Waiting| {
            let is_running = !subject.is_empty() && state.running.contains(&subject);
            state.running.len() < self.count && !is_running
        };
        if !is_free(&state) {
            if limits.is_some_and(|(most, _)| state.waiting >= most) {
                return Err(Busy);
            }
            let end = limits.map(|(_, wait)| Instant::now() + wait);
            state.waiting += 1;
            while !is_free(&state) {
                let rest = end.map(|end| end.saturating_duration_since(Instant::now()));
                state = match rest {
                    Some(Duration::ZERO) => {
                        state.waiting -= 1;
                        return Err(Busy);
                    }
                    Some(rest) => unpoisoned(self.freed.wait_timeout(state, rest)).0,
                    None => unpoisoned(self.freed.wait(state)),
                };
            }
            state.waiting -= 1;
        }
        state.running.push(subject.clone());
        Ok(Slot {
            slots: self,
            memory: state.memory.pop().unwrap_or_default(),
            subject,
        })
    }
}

/// The right to compute hashes of passwords, one after the other, until it is dropped.
pub(crate) struct Slot<'s> {
    slots: &'s Slots,
    memory: Vec<Block>,
    subject: String,
}

impl Slot<'static> {
    /// Waits for a slot, for a while. Callers with the same subject have one slot at a time; those with an empty subject
    /// are not related.
    /// Fails when too many callers wait, or this one waited too long.
    pub(crate) fn take(subject: String) -> Result<Self, Busy> {
        SLOTS.take(subject, Some((MAX_WAITING, MAX_WAIT)))
    }

    /// Waits for a slot as long as it takes: for work of an admin, which must not be half done.
    fn wait() -> Self {
        let slot = SLOTS.take(String::new(), None);
        slot.unwrap_or_else(|Busy| unreachable!("waits without limits"))
    }
}

impl Slot<'_> {
    /// The argon2id hash of a password, in PHC form.
    pub(crate) fn hash(&mut self, password: &str) -> io::Result<String> {
        let mut salt = [0; 16];
        getrandom::fill(&mut salt).map_err(failed)?;
        let params = parameters();
        let mut hash = PasswordHash {
            algorithm: Algorithm::Argon2id.ident(),
            version: Some(Version::V0x13.into()),
            params: ParamsString::try_from(&params).map_err(failed)?,
            salt: Some(Salt::new(&salt).map_err(failed)?),
            hash: None,
        };
        let output = self.compute(password, &hash, params).map_err(failed)?;
        hash.hash = Some(output);
        Ok(hash.to_string())
    }

    /// Whether a password is right. Takes as long for a user without a password as for a wrong one, so
    /// that the time does not reveal which names exist.
    pub(crate) fn is_right(&mut self, password: &str, stored: Option<&str>) -> bool {
        /// A hash that no password has.
        static NONE: LazyLock<String> = LazyLock::new(|| {
            let params = ParamsString::try_from(&parameters()).unwrap_or_default();
            let text = "A".repeat(43);
            format!("$argon2id$v=19${params}${}${text}", &text[..22])
        });
        let verified = PasswordHash::new(stored.unwrap_or(&NONE)).is_ok_and(|expected| {
            let params = Params::try_from(&expected);
            let output = params.map(|params| self.compute(password, &expected, params));
            output.is_ok_and(|output| output.ok() == expected.hash)
        });
        verified && stored.is_some()
    }

    /// The output for the algorithm, version and salt of `like`.
    fn compute(
        &mut self,
        password: &str,
        like: &PasswordHash,
        params: Params,
    ) -> argon2::password_hash::Result<Output> {
        let algorithm = Algorithm::try_from(like.algorithm.as_str())?;
        let version = like.version.map(Version::try_from);
        let version = version.transpose()?.unwrap_or_default();
        let salt = like.salt.as_deref().unwrap_or_default();
        let mut output = [0; Output::MAX_LENGTH];
        let length = params.output_len().unwrap_or(Params::DEFAULT_OUTPUT_LEN);
        let output = output
            .get_mut(..length)
            .ok_or(argon2::password_hash::Error::OutputSize)?;
        self.memory.resize(params.block_count(), Block::new());
        Argon2::new(algorithm, version, params).hash_password_into_with_memory(
            password.as_bytes(),
            salt,
            output,
            &mut self.memory,
        )?;
        Ok(Output::new(output)?)
    }
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        let mut state = unpoisoned(self.slots.state.lock());
        let at = state.running.iter().position(|own| *own == self.subject);
        state.running.swap_remove(at.unwrap_or_default());
        // Without a caller that waits, the memory is freed.
        if state.waiting > 0 {
            state.memory.push(std::mem::take(&mut self.memory));
        } else {
            state.memory.clear();
        }
        drop(state);
        self.slots.freed.notify_all();
    }
}

#[allow(clippy::needless_pass_by_value, reason = "for `map_err`")]
fn failed(error: impl Display) -> io::Error {
    io::Error::other(error.to_string())
}

/// The parameters of new hashes: 7 MiB and five passes, which OWASP's Password Storage Cheat Sheet calls as strong as 19 MiB
/// and two, the default of the crate. Less memory takes a fifth less time when a whole contest signs in.
fn parameters() -> Params {
    Params::new(7168, 5, 1, None).expect("they are in range")
}

/// The argon2id hash of a password, in PHC form. Waits for a slot.
pub fn hash_password(password: &str) -> io::Result<String> {
    Slot::wait().hash(password)
}

/// Whether a password is right for a stored hash. Waits for a slot.
pub fn is_password(password: &str, stored: Option<&str>) -> bool {
    Slot::wait().is_right(password, stored)
}

#[cfg(test)]
mod tests {
    use super::*;
    use argon2::PasswordHasher;

    #[test]
    fn passwords_are_verified() {
        let hash = hash_password("right").expect("random numbers");
        assert!(hash.starts_with("$argon2id$v=19$m=7168,t=5,p=1$"), "{hash}");
        assert!(is_password("right", Some(&hash)));
        assert!(!is_password("wrong", Some(&hash)));
        assert!(!is_password("", None));
    }

    #[test]
    fn a_hash_is_that_of_the_library() {
        let stored = Argon2::default().hash_password_with_salt(b"right", b"some salt of it");
        let stored = stored.expect("a hash").to_string();
        assert!(is_password("right", Some(&stored)));
        assert!(!is_password("wrong", Some(&stored)));
    }

    #[test]
    fn slots_and_callers_that_wait_for_them_are_bounded() {
        let slots = Slots::new(2);
        let take =
            |subject: &str, most| slots.take(subject.to_owned(), Some((most, Duration::ZERO)));
        let (first, second) = (take("a", 0).expect("one"), take("", 0).expect("two"));
        assert!(
            take("b", 0).is_err() && take("b", 1).is_err(),
            "a third one"
        );
        drop(second);
        assert!(take("a", 1).is_err(), "a second one of a subject");
        let other = take("b", 0).expect("of another subject");
        drop((first, other));
        assert!(take("a", 0).is_ok());
        let state = unpoisoned(slots.state.lock());
        assert!(state.running.is_empty() && state.waiting == 0 && state.memory.is_empty());
    }

    #[test]
    fn memory_is_used_again_while_callers_wait() {
        let slots = Slots::new(1);
        let first = slots.take(String::new(), None).expect("no limits");
        std::thread::scope(|scope| {
            let second = scope.spawn(|| {
                let slot = slots.take(String::new(), None).expect("no limits");
                slot.memory.len()
            });
            while unpoisoned(slots.state.lock()).waiting == 0 {
                std::thread::yield_now();
            }
            let mut first = first;
            assert!(!first.is_right("", None));
            drop(first);
            assert_eq!(second.join().expect("no panic"), parameters().block_count());
        });
    }
}
