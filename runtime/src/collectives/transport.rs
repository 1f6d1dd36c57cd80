//! What carries bytes to other hosts. MPI is one; the tests have another.

/// Carries bytes between the processes of a run.
pub trait Transport: Send + Sync {
    /// This process among how many.
    fn place(&self) -> (usize, usize);

    /// Sends each buffer to its process, and fills each buffer with what its process sends. Processes that exchange messages in a
    /// `channel` do so in the same order, one thread at a time; exchanges in different channels may be under way at once. While
    /// nothing arrives, `idle` is called from time to time, and may end the process.
    fn exchange(&self, channel: usize, out: &[(usize, &[u8])], into: &mut [(usize, &mut [u8])], idle: &dyn Fn());

    /// Begins to send a message or to receive one, and does not wait. Messages with one tag from one process to another arrive in
    /// the order in which they were posted. Nothing is said of when a send ends: it may wait for the receive.
    ///
    /// # Safety
    /// The bytes stay where they are until the message is done or taken back. Until then nobody writes to those that are sent, and
    /// nobody touches those that are received.
    unsafe fn post(&self, message: Letter) -> Box<dyn Posted>;

    /// Tags of messages are below this.
    fn tags(&self) -> u32 {
        u32::MAX
    }

    /// The orderly end: all processes come to it, once.
    fn finish(&self) {}
}

/// A message to be posted.
#[derive(Clone, Copy, Debug)]
pub struct Letter {
    pub sends: bool,
    /// The process at the other end.
    pub process: usize,
    pub tag: u32,
    pub at: *mut u8,
    pub bytes: usize,
}

/// A message under way.
pub trait Posted: Send {
    /// Whether it has been sent, so that its bytes may change, or has arrived.
    fn is_done(&mut self) -> bool;

    /// Takes a receive back for which nothing will come.
    fn take_back(self: Box<Self>);
}
