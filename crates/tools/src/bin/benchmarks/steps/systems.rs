//! The problems that are played, one of each bundled system.

use std::error::Error;
use std::path::Path;

use brigade::diagnostics::{Colour, Diagnostics, Sources, render_all};
use brigade::generate::deal::deal;
use brigade::generate::orders::{Draws, Kitchen, Wanted};
use brigade::ground::{self, ground};
use brigade::sema::model::Model;
use brigade::sema::{self, Files, resolve};
use brigade::stream::lay_over;
use brigade::syntax::{parse_domain, parse_problem, parse_stream};
use brigade::task::PackedTask;

/// A bundled problem.
#[derive(Debug)]
pub(super) struct System {
    pub(super) domain: &'static str,
    pub(super) problem: &'static str,
    /// The stream that is drawn for an episode.
    stream: Stream,
}

/// The part of a problem that is drawn for each episode.
#[derive(Debug)]
enum Stream {
    Nothing,
    /// Orders and so many cooks.
    Orders(usize),
    /// The cards, by the function that gives them.
    Deal(&'static str),
}

const fn system(domain: &'static str, problem: &'static str, stream: Stream) -> System {
    System {
        domain,
        problem,
        stream,
    }
}

/// The problems that are played.
pub(super) const SYSTEMS: [System; 10] = [
    system(
        "collab-overcooked",
        "baked_bell_pepper_soup",
        Stream::Nothing,
    ),
    system(
        "robotouille",
        "synchronous-0_cheese_sandwich",
        Stream::Nothing,
    ),
    system("cuisineworld", "level-3", Stream::Orders(2)),
    system("overcooked-ai", "cramped_room", Stream::Nothing),
    system("overcooked-ai", "no_counter_door", Stream::Nothing),
    system("collab-capture", "door3-open", Stream::Nothing),
    system("collab-escape", "code-map", Stream::Nothing),
    system("hanabi", "full-2", Stream::Deal("face")),
    system("cookmas", "level-3-evening", Stream::Nothing),
    system("minecraft-kitchen", "orders", Stream::Nothing),
];

impl System {
    /// The name of the problem, after that of its system.
    pub(super) fn name(&self) -> String {
        format!("{}/{}", self.domain, self.problem)
    }

    /// The task with all that can be done in it.
    pub(super) fn task(&self, root: &Path) -> Result<PackedTask, Box<dyn Error>> {
        let mut model = self.model(root, None)?;
        let stream = match self.stream {
            Stream::Nothing => None,
            Stream::Orders(cooks) => Some(Kitchen::of(&model)?.stream(&Wanted {
                alpha: 1.5,
                seed: 7,
                episode: 0,
                cooks,
                draws: Draws::Own,
                unannounced: false,
            })?),
            Stream::Deal(function) => Some(deal(&model, function, 7)?),
        };
        if let Some(stream) = stream {
            model = self.model(root, Some(&stream))?;
        }
        let options = ground::Options::default().with_irrelevant_kept(true);
        Ok(ground(&model, &options)?)
    }

    fn model(&self, root: &Path, stream: Option<&str>) -> Result<Model, Box<dyn Error>> {
        let domain = crate::read(&root.join(format!("domains/{}.pddl", self.domain)))?;
        let problem = crate::read(&root.join(format!("problems/{}.pddl", self.name())))?;
        let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let files = Files {
            domain: sources.add("domain", domain.clone()),
            problem: sources.add("problem", problem.clone()),
        };
        let domain = parse_domain(files.domain, &domain, &mut diagnostics);
        let mut problem = parse_problem(files.problem, &problem, &mut diagnostics);
        if let Some(text) = stream {
            let part = sources.add("stream", text.to_owned());
            let stream = parse_stream(part, text, &mut diagnostics);
            let offset = sources.join(files.problem, part);
            let offset = offset.ok_or("the stream is too long")?;
            lay_over(
                &mut problem,
                stream,
                (files.problem, offset),
                &mut diagnostics,
            );
        }
        let options = sema::Options::default();
        let model = resolve(&domain, &problem, &options, files, &mut diagnostics);
        Ok(model.ok_or_else(|| render_all(&diagnostics, &sources, Colour::Plain))?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steps::play::play;

    #[test]
    fn episodes_of_every_system_are_played_to_their_ends() {
        for system in &SYSTEMS {
            let task = system.task(&crate::root()).expect("a bundled problem");
            let met = play(&task, 1000, &system.name()).expect("something to do");
            assert!(met.episodes > 0, "{}", system.name());
            assert!(met.legal > 1000, "{}", system.name());
            assert_eq!(play(&task, 1000, &system.name()), Ok(met));
        }
    }
}
