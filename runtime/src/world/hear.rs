//! The thread that hears what one rank says over its connection: its end, its pieces, and where it is.

use super::messages::{Message, hear, hear_bytes};
use super::run::World;
use crate::error::{ErrorKind, Result, RuntimeError};
use std::io::BufReader;
use std::net::TcpStream;
use std::sync::Arc;

/// Enough for a line of JSON and a message; rank 0 has a thread for each other rank.
const STACK: usize = 256 << 10;

/// Starts the thread that hears what one rank says.
pub fn listen(world: &Arc<World>, from: usize, mut read: BufReader<TcpStream>) -> Result<()> {
    let world = world.clone();
    let thread = std::thread::Builder::new().name(format!("link {from}")).stack_size(STACK);
    let work = move || {
        let mut done = false;
        loop {
            match hear(&mut read) {
                // This process ends already, for a reason of its own.
                Ok(Some(Message::Failed(_) | Message::Interrupted { .. })) if world.link.is_ending() => {}
                Ok(Some(Message::Failed(why))) => {
                    let place = format!("rank {}", world.rank);
                    world.end(&RuntimeError::new(ErrorKind::Rank, place, why))
                }
                Ok(Some(Message::Interrupted { preempted })) => {
                    let (kind, why) = match preempted {
                        true => (ErrorKind::Preempted, "another rank was preempted"),
                        false => (ErrorKind::Interrupted, "another rank was interrupted"),
                    };
                    world.end(&RuntimeError::new(kind, format!("rank {}", world.rank), why))
                }
                Ok(Some(Message::Bye)) => done = true,
                Ok(Some(Message::Piece { at, bytes })) => match hear_bytes(&mut read, bytes) {
                    Ok(piece) => world.piece(from, at, piece),
                    Err(_) => continue,
                },
                Ok(Some(Message::At { at, asked })) => world.seen(from, at, asked),
                Ok(Some(Message::Where)) => world.link.tell(&Message::At { at: world.position(), asked: true }),
                Ok(Some(Message::Stuck { at, what })) => world.asked_why(from, at, what.as_deref()),
                Ok(Some(_)) => {}
                Ok(None) | Err(_) if done || world.link.is_ending() => return world.link.is_closed(),
                Ok(None) | Err(_) => world.lost(from),
            }
        }
    };
    thread.spawn(work).map_err(|e| RuntimeError::usage("a thread for each rank", e.to_string()))?;
    Ok(())
}
