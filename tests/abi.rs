//! How structures evolve (`docs/abi.md`): hosts compiled against every recorded header run with today's library, newer
//! ones are refused, and no structure has padding. The recorded sizes are checked beside the structures, in `src/ffi`.

#![allow(clippy::expect_used, clippy::panic)] // a test fails by panicking

mod support;

use std::path::{Path, PathBuf};

use support::header::{records, structures};
use support::host::c;
use support::{project, read};

fn scratch(folder: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    std::fs::create_dir_all(&folder).expect("a folder for made-up files");
    folder
}

#[test]
fn the_latest_record_is_the_header() {
    let records = records();
    let latest = records.last().expect("a recorded header");
    assert_eq!(records, (1..=*latest).collect::<Vec<u32>>());
    assert!(
        read(&format!("tests/abi/{latest}/drystone.h")) == read("include/drystone.h"),
        "tests/abi/{latest}/drystone.h is not include/drystone.h: docs/abi.md says when to record a new one"
    );
}

#[test]
fn hosts_of_every_recorded_header_run() {
    for record in records() {
        for source in ["contract.c", "drop_sphere.c"] {
            let name = format!("abi_{record}_{}", source.trim_end_matches(".c"));
            let header = project(&format!("tests/abi/{record}"));
            c(&[source]).header(header).flag(&format!("-DRECORD={record}")).run(&name);
        }
    }
}

/// A host compiled against a header of the future, every growing structure one member longer.
#[test]
fn a_newer_host_is_refused() {
    let mut header = read("include/drystone.h");
    for (name, members) in structures(&header) {
        if members.first().is_some_and(|first| first == "struct_size")
            || ["dry_contact", "dry_joint_state"].contains(&name.as_str())
        {
            let end = format!("}} {name};");
            assert_eq!(header.matches(&end).count(), 1);
            header = header.replace(&end, &format!("    double made_up;\n{end}"));
        }
    }
    let folder = scratch("newer");
    std::fs::write(folder.join("drystone.h"), header).expect("a made-up header");
    c(&["newer.c"]).header(folder).run("abi_newer");
}

/// The size of every structure is the sum of its members' sizes.
#[test]
fn no_structure_has_padding() {
    let structures = structures(&read("include/drystone.h"));
    assert!(structures.len() >= 15);
    let mut source =
        String::from("#include <drystone.h>\n#include <stdio.h>\n\nint main(void) {\n    int failures = 0;\n");
    for (name, members) in structures {
        let sum: Vec<String> = members.iter().map(|member| format!("sizeof (({name} *)0)->{member}")).collect();
        source += &format!("    if (sizeof({name}) != {}) {{\n", sum.join(" + "));
        source += &format!("        printf(\"{name} has padding\\n\");\n        failures += 1;\n    }}\n");
    }
    source += "    return failures;\n}\n";
    let path = scratch("padding").join("padding.c");
    std::fs::write(&path, source).expect("a made-up host");
    c(&[path.to_str().expect("a path of text")]).run("abi_padding");
}
