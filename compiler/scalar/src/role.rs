//! What an input or an output of a program is for.

use crate::named;

named! {
    /// Parameters and state live from step to step: a program updates them in place, or copies the new value over the old one.
    Role {
        /// Trained, or only read.
        Parameter "parameter",
        /// Optimizer state and counters.
        State "state",
        /// Written before each step.
        Input "input",
        /// Read after a step, on request.
        Output "output",
        /// The scalar that training lowers.
        Loss "loss",
        /// A scalar that is shown beside the loss (grad_norm, lr).
        Metric "metric",
        /// The gradient of a parameter, where it was asked for.
        Gradient "gradient",
        /// What another pipeline stage computes.
        Received "received",
        /// What another pipeline stage needs.
        Sent "sent",
    }
}
