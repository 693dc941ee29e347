//! Files have their names when they are complete, or not at all.

use std::io::{Error, Write};

use super::Folder;
use crate::error::ErrorKind;
use crate::vtk::Staged;

#[test]
fn files_get_their_names_together() {
    let folder = Folder::new("together");
    std::fs::write(folder.at("a"), "before").expect("a file");
    let mut staged = Staged::default();
    staged.add(folder.at("a"), |out| out.write_all(b"new")).expect("a file");
    staged.add(folder.at("b"), |out| out.write_all(b"other")).expect("a file");
    let content = |name: &str| std::fs::read_to_string(folder.at(name)).expect("a file");
    assert_eq!(content("a"), "before");
    assert_eq!(folder.files(), ["a", "a.tmp", "b.tmp"]);
    staged.commit().expect("names");
    assert_eq!((content("a"), content("b")), ("new".to_string(), "other".to_string()));
    assert_eq!(folder.files(), ["a", "b"]);
}

#[test]
fn a_file_that_fails_leaves_nothing() {
    let folder = Folder::new("fails");
    let mut staged = Staged::default();
    staged.add(folder.at("a"), |out| out.write_all(b"complete")).expect("a file");
    let half =
        staged.add(folder.at("b"), |out| out.write_all(b"half").and_then(|()| Err(Error::other("the disc is full"))));
    let error = half.expect_err("refused");
    assert_eq!(
        (error.kind, error.message),
        (ErrorKind::Io, format!("{} cannot be written: the disc is full", folder.at("b")))
    );
    drop(staged);
    assert_eq!(folder.files(), [""; 0]);
}

#[test]
fn the_reason_of_the_file_system_is_in_the_message() {
    let folder = Folder::new("reason");
    let path = folder.at("nowhere/a");
    let error = Staged::default().add(path.clone(), |_| Ok(())).expect_err("refused");
    assert_eq!(error.kind, ErrorKind::Io);
    assert!(error.message.starts_with(&format!("{path} cannot be written: ")), "{error}");
    assert!(error.message.contains("No such file") || error.message.contains("cannot find"), "{error}");
    // A folder is in the way of the name.
    std::fs::create_dir(folder.at("taken")).expect("a folder");
    std::fs::write(folder.at("taken/x"), "").expect("a file");
    let mut staged = Staged::default();
    staged.add(folder.at("taken"), |_| Ok(())).expect("a file");
    staged.add(folder.at("later"), |_| Ok(())).expect("a file");
    assert_eq!(staged.commit().expect_err("refused").kind, ErrorKind::Io);
    assert_eq!(folder.files(), ["taken"]);
}
