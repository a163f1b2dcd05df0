//! The designs and templates that come with Brigade: those of the folder `agents`.

/// A file of the folder `agents`, and its text.
#[derive(Clone, Copy, Debug)]
pub struct File {
    /// The name of the file.
    pub name: &'static str,
    /// The text.
    pub text: &'static str,
}

macro_rules! files {
    ($($name:literal),+ $(,)?) => {
        &[$(File { name: $name, text: include_str!(concat!("../../../agents/", $name)) }),+]
    };
}

/// The designs.
pub const DESIGNS: &[File] = files![
    "io.toml",
    "io-cot.toml",
    "react.toml",
    "reflexion.toml",
    "collab.toml",
    "dispatcher.toml",
    "cac.toml",
    "orchestrator.toml",
];

/// The templates that they use. A design elsewhere may use them too.
pub const TEMPLATES: &[File] = files![
    "instructions.jinja",
    "step.jinja",
    "plan.jinja",
    "belief.jinja",
    "verify.jinja",
    "talk.jinja",
    "lesson.jinja",
    "trial.jinja",
    "dispatch-instructions.jinja",
    "dispatch.jinja",
    "schedule.jinja",
];

/// The design of a name, without the ending of its file.
pub fn design(name: &str) -> Option<&'static str> {
    let mut designs = DESIGNS.iter();
    let found = designs.find(|file| file.name.strip_suffix(".toml") == Some(name));
    found.map(|file| file.text)
}
