//! Replacing a file as a whole: whatever comes between, it holds what it held or all that was written.
//!
//! The new file is written beside the old one, synced, and moved to its place; nothing is left beside it where
//! that fails. A symbolic link stays one: its target is replaced. Pipes and devices are written to.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::paths::folder_of;
use super::waiting::Waiting;

/// A chain of more symbolic links is taken for a ring.
const MOST_LINKS: usize = 40;

/// The beginning and end of the name of a file that is to replace another.
const PREFIX: &str = ".brigade-";
const SUFFIX: &str = ".part";

/// The files that stand beside those that they are to replace. While this is held none is moved.
static BESIDE: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A file that is to stand in the place of another, which is as it was if this is dropped.
#[derive(Debug)]
pub struct Replacement {
    file: File,
    /// The path that it is written under, and the one where it belongs; `None` where it is written in place.
    way: Option<(PathBuf, PathBuf)>,
}

impl Replacement {
    /// Begins to replace a file, or to write one that is not there.
    pub fn begin(path: &Path) -> io::Result<Self> {
        match Place::of(path)? {
            Place::InPlace(file) => Ok(Self { file, way: None }),
            Place::File(path, found) => {
                if found.is_some() {
                    // One that must not be written to is not replaced either.
                    OpenOptions::new().write(true).open(&path)?;
                }
                let (beside, file) = create_beside(&path)?;
                let begun = Self {
                    file,
                    way: Some((beside, path)),
                };
                if let Some(found) = found {
                    keep_owner(&begun.file, &found);
                    begun.file.set_permissions(found.permissions())?;
                }
                Ok(begun)
            }
        }
    }

    /// Puts what was written into its place. More may be added to the file that is returned.
    pub fn finish(mut self) -> io::Result<File> {
        let file = self.file.try_clone()?;
        if let Some((beside, path)) = &self.way {
            self.file.sync_all()?;
            let mut all = pending();
            fs::rename(beside, path)?;
            all.retain(|other| other != beside);
            drop(all);
            self.way = None;
        }
        Ok(file)
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if let Some((beside, _)) = &self.way {
            // Nothing can be done about one that stays.
            let _ = fs::remove_file(beside);
            pending().retain(|other| other != beside);
        }
    }
}

/// Replaces what a file holds, or makes it.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut replacement = Replacement::begin(path)?;
    replacement.write_all(bytes)?;
    replacement.finish().map(drop)
}

/// Makes a file that is not there yet.
pub fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    written.inspect_err(|_| {
        // Half a file would keep the next try from making it.
        let _ = fs::remove_file(path);
    })
}

/// Removes what stands beside its place, and lets nothing be moved any more: the process ends.
pub(super) fn abandon() -> impl Drop {
    let all = pending();
    for beside in &*all {
        let _ = fs::remove_file(beside);
    }
    all
}

fn pending() -> MutexGuard<'static, Vec<PathBuf>> {
    BESIDE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A place to write to.
enum Place {
    /// Something that cannot be replaced: a pipe, a device, what a process has open.
    InPlace(File),
    /// A file, and what is known of it if it is there.
    File(PathBuf, Option<Metadata>),
}

impl Place {
    /// Follows symbolic links.
    fn of(path: &Path) -> io::Result<Self> {
        let mut path = path.to_owned();
        for _ in 0..MOST_LINKS {
            match path.symlink_metadata() {
                Ok(found) if found.is_symlink() => {
                    if let Some(file) = open_descriptor(&path) {
                        return file.map(Self::InPlace);
                    }
                    path = folder_of(&path).join(fs::read_link(&path)?);
                }
                Ok(found) if found.is_file() => return Ok(Self::File(path, Some(found))),
                Ok(found) if found.is_dir() => {
                    return Err(io::Error::other("it is a folder"));
                }
                Ok(_) => {
                    let _waiting = Waiting::begin();
                    let file = OpenOptions::new().append(true).open(&path)?;
                    return Ok(Self::InPlace(file));
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return Ok(Self::File(path, None));
                }
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::other("too many symbolic links"))
    }
}

/// The file that a process has open, if a path leads there, as `/dev/stdout` does. Output goes where the process stands
/// in it.
#[cfg(unix)]
fn open_descriptor(path: &Path) -> Option<io::Result<File>> {
    use std::os::fd::AsFd;

    let folder = folder_of(path).canonicalize().ok()?;
    let is_descriptor = folder.starts_with("/proc") && folder.ends_with("fd");
    let own = Path::new("/proc/self/fd").canonicalize().ok()?;
    let standard = |number: &str| folder == own && path.file_name() == Some(number.as_ref());
    let clone = |open: io::Result<std::os::fd::OwnedFd>| open.map(File::from);
    match () {
        () if !is_descriptor => None,
        () if standard("1") => Some(clone(io::stdout().as_fd().try_clone_to_owned())),
        () if standard("2") => Some(clone(io::stderr().as_fd().try_clone_to_owned())),
        () => Some(OpenOptions::new().append(true).open(path)),
    }
}

#[cfg(not(unix))]
fn open_descriptor(_: &Path) -> Option<io::Result<File>> {
    None
}

/// Removes what processes that were killed have left beside the files that they replaced. Nobody else may be
/// writing into the folder.
pub(super) fn clear(folder: &Path) -> io::Result<()> {
    let own = format!("{PREFIX}{}-", std::process::id());
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(PREFIX) && name.ends_with(SUFFIX) && !name.starts_with(&own) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Makes a file in the folder of another, under a name that nobody else uses.
fn create_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let mut all = pending();
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        // A name of its own length, since that of the file may be as long as names can be.
        let name = format!("{PREFIX}{}-{number}{SUFFIX}", std::process::id());
        let beside = folder_of(path).join(name);
        match OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&beside)
        {
            Ok(file) => {
                all.push(beside.clone());
                return Ok((beside, file));
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

/// Gives a file the owner of another, as far as the system lets us.
#[cfg(unix)]
fn keep_owner(file: &File, of: &Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};

    let _ = fchown(file, Some(of.uid()), Some(of.gid()));
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &Metadata) {}
