//! The worlds and solvers that hosts hold. A host's pointer is a name, that is, a number. It is looked up in a table and never dereferenced.
//!
//! So a call with the pointer of a destroyed world returns an error and does no harm. Names are counted and never used again. They are not
//! addresses, and no result depends on them: the table is searched, but not iterated over.

use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hashbrown::HashMap;
use parking_lot::RwLock;

use crate::error::{Error, ErrorKind, Result, out_of_memory, text};

/// The objects of one type that exist.
pub(super) struct Live<T> {
    /// The name of the type without `dry_`.
    name: &'static str,
    table: RwLock<HashMap<usize, Arc<T>, BuildHasherDefault<Spread>>>,
}

/// The distance between two names. So a name plus an offset is no other name, and every name is aligned as a binding may expect.
const SPACING: usize = 64;

/// The last name. Worlds and solvers share the count, so that no name is valid for both.
static LAST: AtomicUsize = AtomicUsize::new(0);

impl<T> Live<T> {
    /// Returns an empty table of the type `dry_` with this name.
    pub(super) const fn new(name: &'static str) -> Self {
        Self { name, table: RwLock::new(HashMap::with_hasher(BuildHasherDefault::new())) }
    }

    /// Adds an object to the table. Returns the name that the host gets.
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

    /// Returns the object with this name. It lasts until the call ends, even if another thread destroys it meanwhile.
    ///
    /// # Errors
    ///
    /// The name is NULL, or there is no such object.
    pub(super) fn get(&self, pointer: *const T) -> Result<Arc<T>> {
        let found = self.table.read().get(&pointer.addr()).cloned();
        found.ok_or_else(|| self.unknown(pointer))
    }

    /// Removes an object from the table and drops it. Does nothing with NULL.
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
            // An empty table keeps no memory, for hosts that count allocations.
            table.shrink_to_fit();
        }
        // The lock is released first, since dropping a world waits for its threads.
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
