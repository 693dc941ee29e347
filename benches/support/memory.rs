//! Memory of this process, as the system counts it.

/// Pages in memory now [bytes]; 0 where the system does not say.
pub(crate) fn resident() -> u64 {
    status("VmRSS:")
}

/// The most since the process began, or since [`forget_peak`] [bytes].
pub(crate) fn peak() -> u64 {
    status("VmHWM:")
}

/// Resets [`peak`], where the system offers that.
pub(crate) fn forget_peak() {
    // without it the peak includes what was there before: too large, never too small
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// A line of the system's account, in kB there.
fn status(name: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    let kilobytes = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}
