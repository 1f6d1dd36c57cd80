//! The same work for each of several things, on as many threads as the machine has cores. Results come in the order of the
//! things, so they do not depend on the number of threads.
//!
//! Not here: several threads for one thing. A search runs on one thread, so that its counts are the same everywhere.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{Builder, available_parallelism};

/// Stack of a worker, in bytes: as much as the command line's own thread has, since nests of source are walked there too. What
/// is not used of it is never touched.
const STACK: usize = 256 << 20;

/// What `work` makes of each of `items`.
pub fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let workers = available_parallelism().map_or(1, NonZero::get).min(items.len());
    let next = AtomicUsize::new(0);
    let worker = || {
        let claim = || {
            let at = next.fetch_add(1, Ordering::Relaxed);
            items.get(at).map(|item| (at, work(item)))
        };
        std::iter::from_fn(claim).collect::<Vec<_>>()
    };
    let mut made = std::thread::scope(|scope| {
        // A thread that cannot be had leaves its share to this one.
        let others: Vec<_> =
            (1..workers).map_while(|_| Builder::new().stack_size(STACK).spawn_scoped(scope, worker).ok()).collect();
        let mut made = worker();
        for other in others {
            made.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        made
    });
    made.sort_by_key(|(at, _)| *at);
    made.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_are_in_the_order_of_what_they_are_for() {
        let slow_first = |n: &u64| {
            std::thread::sleep(std::time::Duration::from_millis(if *n == 0 { 20 } else { 0 }));
            n * n
        };
        let numbers: Vec<u64> = (0..50).collect();
        assert_eq!(super::map(&numbers, slow_first), numbers.iter().map(|n| n * n).collect::<Vec<_>>());
        assert!(super::map(&[] as &[u64], slow_first).is_empty());
    }

    #[test]
    #[should_panic(expected = "the third")]
    fn a_panic_of_a_worker_is_one_of_the_caller() {
        super::map(&[1, 2, 3, 4], |n| assert_ne!(*n, 3, "the third"));
    }
}
