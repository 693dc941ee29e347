//! What stands around the content of a snapshot: what it is, its format, its length, and a checksum. See docs/snapshots.md.

use super::checksum::xxh64;
use super::reader::{Reader, format_error};
use super::writer::Writer;
use crate::error::{Error, ErrorKind, Result, resize, text};

/// The number of the format. It is raised by every change of what a released version wrote.
pub const FORMAT: u32 = 1;

/// The name of the content, the format, zeros, and the length of the whole.
const HEAD: usize = 32;
/// The checksum.
const TAIL: usize = 8;

/// What a snapshot is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// A world.
    World,
    /// A solver without a world.
    Solver,
}

impl Content {
    const ALL: [Self; 2] = [Self::World, Self::Solver];

    fn name(self) -> &'static [u8; 16] {
        match self {
            Self::World => b"drystone world\0\0",
            Self::Solver => b"drystone solver\0",
        }
    }

    fn describe(self) -> &'static str {
        match self {
            Self::World => "a world",
            Self::Solver => "a solver",
        }
    }
}

/// Returns the size of a snapshot whose content has so many bytes.
pub fn sealed_size(content: usize) -> usize {
    HEAD + content + TAIL
}

/// Writes the snapshot of a content, which `write` writes, to a room of exactly the size of the snapshot.
///
/// # Errors
///
/// `write` fails. The room has bytes without meaning then.
pub fn seal(content: Content, room: &mut [u8], write: impl FnOnce(&mut Writer) -> Result<()>) -> Result<()> {
    let size = room.len() as u64;
    let Some((body, tail)) = room.split_last_chunk_mut::<TAIL>() else {
        return Err(Error::new(ErrorKind::Internal, "a snapshot has no room for its checksum"));
    };
    let mut writer = Writer::new(body);
    writer.bytes(*content.name());
    writer.bytes(FORMAT.to_le_bytes());
    writer.bytes([0; 4]);
    writer.bytes(size.to_le_bytes());
    write(&mut writer)?;
    writer.finish()?;
    *tail = xxh64(body).to_le_bytes();
    Ok(())
}

/// Returns the bytes that `write` writes to a room of this size.
///
/// # Errors
///
/// Memory is exhausted, or `write` fails.
pub fn bytes_of(size: usize, write: impl FnOnce(&mut [u8]) -> Result<()>) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    resize(&mut bytes, size, 0, "bytes of a snapshot")?;
    write(&mut bytes)?;
    Ok(bytes)
}

/// Returns the content of a snapshot, to be read.
///
/// # Errors
///
/// It is no snapshot of this content and format, it is not whole, or its checksum is another one.
pub fn open(content: Content, bytes: &[u8]) -> Result<Reader<'_>> {
    let mut head = Reader::new(bytes);
    let name: [u8; 16] = head
        .take()
        .map_err(|_| format_error(text!("snapshot has {} bytes, expected at least {}", bytes.len(), HEAD + TAIL)))?;
    let found = Content::ALL.into_iter().find(|content| *content.name() == name);
    if found != Some(content) {
        let found = found.map_or("no snapshot of drystone", Content::describe);
        return Err(format_error(text!("snapshot is of {found}, expected one of {}", content.describe())));
    }
    let format = head.half()?;
    if format != FORMAT {
        return Err(format_error(text!("snapshot has format {format}, expected {FORMAT}")));
    }
    let (zero, length) = (head.half()?, head.word()?);
    if zero != 0 || length != bytes.len() as u64 {
        let found = bytes.len();
        return Err(format_error(text!("snapshot has {found} bytes, expected {length}, as it says itself")));
    }
    let Some((body, tail)) = bytes.split_last_chunk::<TAIL>().filter(|(body, _)| body.len() >= HEAD) else {
        return Err(format_error("snapshot is shorter than its head"));
    };
    let (found, expected) = (xxh64(body), u64::from_le_bytes(*tail));
    if found != expected {
        return Err(format_error(text!("snapshot has checksum {found:#018x}, expected {expected:#018x}")));
    }
    Ok(Reader::new(&body[HEAD..]))
}
