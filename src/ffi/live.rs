//! The worlds and solvers that hosts hold. A host's pointer is the name of one and is never followed: it is looked up in a table.
//!
//! So a call with the pointer of a destroyed world is answered, and does not end the host. Names are counted and never used again. They
//! are no addresses, and nothing depends on them: the table is only searched, not walked.

use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hashbrown::HashMap;
use parking_lot::RwLock;

use crate::error::{Error, ErrorKind, Result, out_of_memory, text};

/// The objects of one type that exist.
pub(super) struct Live<T> {
    /// A `dry_` and this name is the type.
    name: &'static str,
    table: RwLock<HashMap<usize, Arc<T>, BuildHasherDefault<Spread>>>,
}

/// Names are so far apart: one that a host adds something to is none, and every name is aligned for whatever a binding expects.
const SPACING: usize = 64;

/// The last name, of worlds and solvers alike, so that none of one type is one of the other.
static LAST: AtomicUsize = AtomicUsize::new(0);

impl<T> Live<T> {
    /// None yet, of the type `dry_` and this name.
    pub(super) const fn new(name: &'static str) -> Self {
        Self { name, table: RwLock::new(HashMap::with_hasher(BuildHasherDefault::new())) }
    }

    /// Puts an object into the table; answers the name that the host gets.
    ///
    /// # Errors
    ///
    /// Memory is exhausted, or all names are used (on a machine with pointers of 32 bits).
    pub(super) fn insert(&self, object: T) -> Result<*mut T> {
        let object = Arc::new(object);
        let mut table = self.table.write();
        table.try_reserve(1).map_err(|_| out_of_memory("objects", 1))?;
        let next = |last: usize| last.checked_add(SPACING);
        let last = LAST.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next);
        let name = last.map_err(|_| out_of_memory("names of objects", 1))? + SPACING;
        table.insert(name, object);
        Ok(std::ptr::without_provenance_mut(name))
    }

    /// The object of this name. It lasts until the call ends, even if another thread destroys it meanwhile.
    ///
    /// # Errors
    ///
    /// The name is NULL, or there is no such object.
    pub(super) fn get(&self, pointer: *const T) -> Result<Arc<T>> {
        let found = self.table.read().get(&pointer.addr()).cloned();
        found.ok_or_else(|| self.unknown(pointer))
    }

    /// Takes an object out of the table and drops it; NULL is nothing to do.
    ///
    /// # Errors
    ///
    /// There is no such object.
    pub(super) fn destroy(&self, pointer: *const T) -> Result<()> {
        if pointer.is_null() {
            return Ok(());
        }
        let mut table = self.table.write();
        let removed = table.remove(&pointer.addr());
        if table.is_empty() {
            // Nothing is left behind where a host counts what it allocates.
            table.shrink_to_fit();
        }
        // A world waits for its threads: it is dropped after the lock.
        drop(table);
        removed.map(drop).ok_or_else(|| self.unknown(pointer))
    }

    fn unknown(&self, pointer: *const T) -> Error {
        let name = self.name;
        if pointer.is_null() {
            return Error::new(ErrorKind::Null, text!("{name} is NULL, expected a pointer from dry_{name}_create"));
        }
        let message =
            text!("{name} is {pointer:p}, expected a pointer from dry_{name}_create, before its dry_{name}_destroy");
        Error::new(ErrorKind::StaleHandle, message)
    }
}

/// Hashes a name: names differ by multiples of [`SPACING`].
#[derive(Default)]
pub(super) struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_usize((self.0 as usize) << 8 | usize::from(*byte)));
    }

    fn write_usize(&mut self, name: usize) {
        // Fibonacci hashing: the upper bits, which the table compares first, depend on all lower ones.
        self.0 = (name as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}
