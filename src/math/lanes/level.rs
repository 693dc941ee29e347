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
    /// Returns the best level of this machine. Tests can cap it, see [`capped`].
    pub fn best() -> Self {
        #[cfg(test)]
        return Self::of_machine().min(*CAP.read());
        #[cfg(not(test))]
        Self::of_machine()
    }

    /// Returns the best level that this machine supports.
    pub(super) fn of_machine() -> Self {
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

/// The widest level that [`Level::best`] returns.
#[cfg(test)]
static CAP: parking_lot::RwLock<Level> = parking_lot::RwLock::new(Level::Avx512);

/// Runs `work` while [`Level::best`] returns at most `level`, on all threads. One cap holds at a time. Tests that run
/// beside it are not disturbed, since every level gives the same bits.
#[cfg(test)]
pub(crate) fn capped<T>(level: Level, work: impl FnOnce() -> T) -> T {
    static ONE: parking_lot::Mutex<()> = parking_lot::Mutex::new(());
    struct Uncap;
    impl Drop for Uncap {
        fn drop(&mut self) {
            *CAP.write() = Level::Avx512;
        }
    }
    let _one = ONE.lock();
    let _uncap = Uncap;
    *CAP.write() = level;
    work()
}
