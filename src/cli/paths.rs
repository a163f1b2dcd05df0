//! Paths as commands are given them: every command reads them with [`given`], so that a file or a folder
//! is the same to all however it is spelt.

use std::path::{Component, Path, PathBuf};

use clap::builder::{PathBufValueParser, TypedValueParser};

use super::bundled;

/// Reads a path of the command line.
pub(super) fn given() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().map(|path| plain(&path))
}

/// A path without `.`, doubled and trailing slashes, and without `x/..` where `x` is a folder itself. After
/// a symbolic link `..` stays: it leads to the folder of the link's target.
pub(super) fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match (part, plain.components().next_back()) {
            (Component::CurDir, _) | (Component::ParentDir, Some(Component::RootDir)) => {}
            (Component::ParentDir, Some(Component::Normal(_))) if is_folder_itself(&plain) => {
                plain.pop();
            }
            _ => plain.push(part),
        }
    }
    if means_no_file(&plain) && !means_no_file(path) {
        return Path::new(".").join(plain);
    }
    if plain.as_os_str().is_empty() && !path.as_os_str().is_empty() {
        return PathBuf::from(".");
    }
    plain
}

/// Returns whether a path stands for standard input or for a part of the binary, whatever file has that name.
fn means_no_file(path: &Path) -> bool {
    path.as_os_str() == "-" || bundled::is_within(path)
}

/// A file of a folder.
pub(super) fn within(folder: &Path, name: impl AsRef<Path>) -> PathBuf {
    let plain = name.as_ref();
    if folder == Path::new(".") && !means_no_file(plain) {
        plain.to_owned()
    } else {
        folder.join(plain)
    }
}

/// A path that is relative to a folder, unless it is that of a part of the binary.
pub(super) fn beside(folder: &Path, path: &Path) -> PathBuf {
    if bundled::is_within(path) {
        path.to_owned()
    } else {
        plain(&folder.join(path))
    }
}

/// The folder that a file stands in.
pub(super) fn folder_of(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// A path without symbolic links, as far as it exists.
pub(super) fn resolved(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let exists = absolute.ancestors();
    let mut exists = exists.filter_map(|up| Some((up, up.canonicalize().ok()?)));
    let Some((up, canonical)) = exists.next() else {
        return plain(&absolute);
    };
    let rest = absolute.strip_prefix(up).unwrap_or(Path::new(""));
    plain(&canonical.join(rest))
}

/// True where two paths lead to one place, whether or not a file is there.
pub(super) fn same_place(one: &Path, other: &Path) -> bool {
    resolved(one) == resolved(other)
}

fn is_folder_itself(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|found| found.is_dir())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn a_path_has_one_form_however_it_is_spelt() {
        for (spelt, form) in [
            ("src", "src"),
            ("./src", "src"),
            ("src/", "src"),
            (".//src/.", "src"),
            ("src//cli", "src/cli"),
            ("src/cli/..", "src"),
            ("./src/../src/cli/../..", "."),
            (".", "."),
            ("./", "."),
            ("..", ".."),
            ("../../x", "../../x"),
            ("/../usr/", "/usr"),
            ("//usr", "/usr"),
            ("no-such-folder/../src", "no-such-folder/../src"),
            ("-", "-"),
            ("./-", "./-"),
            ("bundled:x/y", "bundled:x/y"),
            ("./bundled:x/y", "./bundled:x/y"),
            (".//bundled:x/../bundled:x", "./bundled:x/../bundled:x"),
            ("x/bundled:y", "x/bundled:y"),
            ("", ""),
        ] {
            assert_eq!(plain(Path::new(spelt)).as_os_str(), form, "{spelt}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn what_follows_a_symbolic_link_is_left_to_the_system() {
        let folder = std::env::temp_dir().join(format!("brigade-paths-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("far/away")).unwrap();
        let link = folder.join("link");
        std::os::unix::fs::symlink(folder.join("far/away"), &link).unwrap();
        let through = link.join("../x");
        assert_eq!(plain(&through), through);
        let canonical = folder.canonicalize().unwrap();
        assert_eq!(resolved(&through), canonical.join("far/x"));
        assert!(same_place(&link, &folder.join("far/./away")));
        std::fs::remove_dir_all(folder).unwrap();
    }

    fn assert_paths_are_read_here(command: &clap::Command) {
        for argument in command.get_arguments() {
            assert_ne!(
                format!("{:?}", argument.get_value_parser()),
                format!("{:?}", clap::value_parser!(PathBuf)),
                "`{}` of `{}` is not read by `paths::given()`",
                argument.get_id(),
                command.get_name()
            );
        }
        command
            .get_subcommands()
            .for_each(assert_paths_are_read_here);
    }

    #[test]
    fn every_path_of_every_command_is_read_here() {
        assert_paths_are_read_here(&crate::cli::Cli::command());
    }
}
