//! What carries bytes to other hosts. MPI is one; the tests have another.

/// Carries bytes between the processes of a run.
pub trait Transport: Send + Sync {
    /// This process among how many.
    fn place(&self) -> (usize, usize);

    /// Sends each buffer to its process, and fills each buffer with what its process sends. Processes that exchange messages do so
    /// in the same order. While nothing arrives, `idle` is called from time to time, and may end the process.
    fn exchange(&self, out: &[(usize, &[u8])], into: &mut [(usize, &mut [u8])], idle: &dyn Fn());

    /// The orderly end: all processes come to it, once.
    fn finish(&self) {}
}
