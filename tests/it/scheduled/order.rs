//! What the order of collectives must satisfy: no device waits for a device that waits for it. This is checked by
//! running the sequences of all devices against each other. A call completes when it is the next call of every device
//! in its group. Nothing is assumed about where the sequences come from.

use std::fmt;

/// One collective as one device issues it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CollectiveCall {
    /// A description of everything on which the members must agree: kind, reduction, dtype, count, source.
    pub what: String,
    /// The devices that take part, in the group's order. This device is among them.
    pub group: Vec<u64>,
}

/// Why the devices cannot all finish.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OrderError {
    /// A group that is empty, names a device twice or one that does not exist, or lacks the device itself.
    Group { device: u64, call: usize, what: String },
    /// Two members of a group are at different calls with each other.
    Mismatch { device: u64, call: usize, what: String, other: u64, other_call: usize, other_what: String },
    /// A member has no further call.
    Missing { device: u64, call: usize, what: String, other: u64 },
    /// Devices wait for each other in a cycle, each at a call of its own.
    Deadlock { waiting: Vec<(u64, usize, String)> },
}

impl fmt::Display for OrderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OrderError::Group { device, call, what } => {
                write!(f, "device {device}, collective {call}, {what}: its group is not one that it is in")
            }
            OrderError::Mismatch { device, call, what, other, other_call, other_what } => write!(
                f,
                "device {device} is at collective {call}, {what}, where device {other} is at collective {other_call}, {other_what}"
            ),
            OrderError::Missing { device, call, what, other } => {
                write!(f, "device {device} waits at collective {call}, {what}, for device {other}, which has none left")
            }
            OrderError::Deadlock { waiting } => {
                write!(f, "devices wait for each other:")?;
                for (device, call, what) in waiting {
                    write!(f, " device {device} at collective {call}, {what};")?;
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for OrderError {}

/// Checks that the sequences of all devices (by device index) run to their ends.
///
/// # Errors
/// The first call that cannot complete.
pub fn check_order(devices: &[Vec<CollectiveCall>]) -> Result<(), OrderError> {
    for (d, calls) in devices.iter().enumerate() {
        for (i, c) in calls.iter().enumerate() {
            let known = c.group.iter().all(|&m| (m as usize) < devices.len());
            let once = (1..c.group.len()).all(|k| !c.group[..k].contains(&c.group[k]));
            if !known || !once || !c.group.contains(&(d as u64)) {
                return Err(OrderError::Group { device: d as u64, call: i, what: c.what.clone() });
            }
        }
    }
    let mut at = vec![0usize; devices.len()];
    // Devices whose next call may have become possible.
    let mut ready: Vec<usize> = (0..devices.len()).rev().collect();
    while let Some(d) = ready.pop() {
        let Some(call) = devices[d].get(at[d]) else {
            continue;
        };
        let next = |m: u64| devices[m as usize].get(at[m as usize]);
        if call.group.iter().all(|&m| next(m) == Some(call)) {
            for &m in &call.group {
                at[m as usize] += 1;
                ready.push(m as usize);
            }
        }
    }
    let stuck = (0..devices.len()).find(|&d| at[d] < devices[d].len());
    match stuck {
        None => Ok(()),
        Some(d) => Err(explain(devices, &at, d)),
    }
}

/// Why device `first` is stuck: follows which device waits for which until a cause is found or the cycle closes.
fn explain(devices: &[Vec<CollectiveCall>], at: &[usize], first: usize) -> OrderError {
    let mut ring: Vec<usize> = Vec::new();
    let mut d = first;
    loop {
        let call = &devices[d][at[d]];
        ring.push(d);
        let late = call.group.iter().map(|&m| m as usize);
        let Some(m) = late.into_iter().find(|&m| devices[m].get(at[m]) != Some(call)) else {
            // Every member is here; `check_order` would have completed it.
            break;
        };
        let Some(theirs) = devices[m].get(at[m]) else {
            return OrderError::Missing { device: d as u64, call: at[d], what: call.what.clone(), other: m as u64 };
        };
        if theirs.group.contains(&(d as u64)) {
            return OrderError::Mismatch {
                device: d as u64,
                call: at[d],
                what: call.what.clone(),
                other: m as u64,
                other_call: at[m],
                other_what: theirs.what.clone(),
            };
        }
        if ring.contains(&m) {
            break;
        }
        d = m;
    }
    OrderError::Deadlock {
        waiting: ring.into_iter().map(|d| (d as u64, at[d], devices[d][at[d]].what.clone())).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(what: &str, group: &[u64]) -> CollectiveCall {
        CollectiveCall { what: what.into(), group: group.to_vec() }
    }

    #[test]
    fn groups_may_run_apart() {
        let (a, b, all) = (call("a", &[0, 1]), call("b", &[2, 3]), call("all", &[0, 1, 2, 3]));
        let low = vec![a.clone(), all.clone(), a];
        let high = vec![b, all];
        assert_eq!(check_order(&[low.clone(), low, high.clone(), high]), Ok(()));
    }

    #[test]
    fn another_order_is_a_mismatch() {
        let (a, b) = (call("a", &[0, 1]), call("b", &[0, 1]));
        let e = check_order(&[vec![a.clone(), b.clone()], vec![b, a]]).expect_err("order");
        assert_eq!(e.to_string(), "device 0 is at collective 0, a, where device 1 is at collective 0, b");
    }

    #[test]
    fn a_call_too_few_is_missed() {
        let a = call("a", &[0, 1]);
        let e = check_order(&[vec![a.clone(), a.clone()], vec![a]]).expect_err("missing");
        assert_eq!(e.to_string(), "device 0 waits at collective 1, a, for device 1, which has none left");
    }

    #[test]
    fn a_ring_of_waits_is_a_deadlock() {
        let pair = |x, y| call("p2p", &[x, y]);
        let d0 = vec![pair(0, 1), pair(2, 0)];
        let d1 = vec![pair(1, 2), pair(0, 1)];
        let d2 = vec![pair(2, 0), pair(1, 2)];
        assert!(matches!(
            check_order(&[d0, d1, d2]),
            Err(OrderError::Deadlock { waiting }) if waiting.len() == 3
        ));
    }

    #[test]
    fn a_group_without_its_device_is_refused() {
        assert!(matches!(
            check_order(&[vec![call("a", &[1])], vec![call("a", &[1])]]),
            Err(OrderError::Group { device: 0, .. })
        ));
    }
}
