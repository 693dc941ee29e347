//! Hosts: C and C++ programs of `tests/c` and `tests/cpp`, really compiled, linked and run.
//!
//! The compilers are `cc` and `c++`, or what CC and CXX say. Every warning is an error. The library is the one that
//! cargo built for this very test run.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use super::project;

/// A program to be compiled, linked with the library, and run.
pub(crate) struct Host {
    sources: Vec<PathBuf>,
    compiler: Command,
    include: PathBuf,
    statically: bool,
    arguments: Vec<String>,
}

/// A C99 program: one or more files of `tests/c`.
pub(crate) fn c(sources: &[&str]) -> Host {
    c_standard("c99", sources)
}

/// A C program of another standard.
pub(crate) fn c_standard(standard: &str, sources: &[&str]) -> Host {
    Host::new("CC", "cc", "tests/c", standard, sources)
}

/// A C++17 program: one or more files of `tests/cpp`.
pub(crate) fn cpp(sources: &[&str]) -> Host {
    Host::new("CXX", "c++", "tests/cpp", "c++17", sources)
}

impl Host {
    fn new(variable: &str, default: &str, folder: &str, standard: &str, sources: &[&str]) -> Self {
        let named = std::env::var(variable).ok().filter(|value| !value.trim().is_empty());
        let named = named.unwrap_or_else(|| default.to_string());
        // CC may hold arguments too: "ccache gcc".
        let mut words = named.split_whitespace();
        let mut compiler = Command::new(words.next().unwrap_or(default));
        compiler.args(words).arg(format!("-std={standard}"));
        compiler.args(["-O1", "-g", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]);
        let sources = sources.iter().map(|source| project(folder).join(source)).collect();
        Self { sources, compiler, include: project("include"), statically: false, arguments: Vec::new() }
    }

    /// With one more argument for the compiler.
    pub(crate) fn flag(mut self, flag: &str) -> Self {
        self.compiler.arg(flag);
        self
    }

    /// Against the `drystone.h` of another folder.
    pub(crate) fn header(mut self, folder: impl AsRef<Path>) -> Self {
        self.include = folder.as_ref().to_path_buf();
        self
    }

    /// With the static library in place of the shared one.
    pub(crate) fn statically(mut self) -> Self {
        self.statically = true;
        self
    }

    /// With one more argument for the program.
    pub(crate) fn argument(mut self, argument: impl Into<String>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Compiles as the program `name` and runs it: it must end with 0 and write nothing on standard error. Answers
    /// what it printed.
    pub(crate) fn run(self, name: &str) -> String {
        let arguments = self.arguments.clone();
        let program = self.compile(name);
        // Cargo names folders there that may hold a library of another build.
        let output = finished(Command::new(&program).args(arguments).env_remove("LD_LIBRARY_PATH"), name);
        assert!(output.status.success(), "{name} ended with {}\n{}", output.status, printed(&output));
        assert!(output.stderr.is_empty(), "{name} wrote on standard error\n{}", printed(&output));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Compiles and links as the program `name`; answers where it is.
    pub(crate) fn compile(mut self, name: &str) -> PathBuf {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hosts");
        std::fs::create_dir_all(&folder).expect("a folder for the hosts");
        let program = folder.join(name);
        let library = library_folder();
        let compiler = &mut self.compiler;
        compiler.arg("-I").arg(&self.include).args(&self.sources).arg("-o").arg(&program);
        if self.statically {
            compiler.arg(library.join("libdrystone.a"));
        } else {
            compiler.arg("-L").arg(library).arg("-ldrystone").arg(format!("-Wl,-rpath,{}", library.display()));
        }
        compiler.args(["-lpthread", "-ldl", "-lm"]);
        let output = finished(compiler, name);
        assert!(output.status.success(), "{name} does not compile\n{}", printed(&output));
        program
    }
}

fn finished(command: &mut Command, name: &str) -> Output {
    command.output().unwrap_or_else(|error| panic!("{name}: {command:?}: {error}"))
}

fn printed(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// The folder with `libdrystone.so` and `libdrystone.a` of this build.
pub(crate) fn library_folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        // Test programs lie in target/<profile>/deps, and cargo leaves there what it built them with.
        let test = std::env::current_exe().expect("the test's own path");
        let folder = test.parent().expect("a test lies in a folder").to_path_buf();
        if !complete(&folder) {
            build(&folder);
        }
        assert!(complete(&folder), "no libdrystone.so and libdrystone.a in {}", folder.display());
        folder
    })
}

fn complete(folder: &Path) -> bool {
    ["libdrystone.so", "libdrystone.a"].iter().all(|file| folder.join(file).exists())
}

/// Builds the library for the profile that the test was built for, should cargo have left it out.
fn build(folder: &Path) {
    let profile = folder.parent().expect("target/<profile>/deps");
    let target = profile.parent().expect("target/<profile>");
    let name = match profile.file_name().and_then(|name| name.to_str()) {
        Some("debug") | None => "dev",
        Some(name) => name,
    };
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(project("")).args(["build", "--lib", "--profile", name]).arg("--target-dir").arg(target);
    let output = finished(&mut command, "the library");
    assert!(output.status.success(), "the library does not build\n{}", printed(&output));
}
