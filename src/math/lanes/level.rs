//! The instruction sets that kernels can use.

/// An instruction set, and with it the width of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// The instructions of every machine of its kind: twice two lanes.
    Baseline,
    /// Twice four lanes.
    Avx2,
    /// Eight.
    Avx512,
}

impl Default for Level {
    fn default() -> Self {
        Self::best()
    }
}

impl Level {
    /// Returns the best level of this machine.
    pub fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") {
                return Self::Avx512;
            }
            if is_x86_feature_detected!("avx2") {
                return Self::Avx2;
            }
        }
        Self::Baseline
    }
}
