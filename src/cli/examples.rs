//! Examples under the long help of the commands. They are about the domain that `brigade new kitchen`
//! makes; a test runs them in the order in which the commands are listed, from `new` on.

pub(super) const NEW: &str = "\
Examples:
  brigade new kitchen
      The folder `kitchen` with domain.pddl, soup.pddl and their snapshots";

pub(super) const CHECK: &str = "\
Examples:
  brigade check kitchen
      What is wrong with the files of a folder
  brigade check --facts kitchen/soup.pddl
      Also whether it can be solved, how soon, in how many ways, and whether all have to help
  brigade check --deny-warnings --format sarif kitchen > findings.sarif
      For continuous integration and code hosts

`brigade explain CODE` says what a finding means.";

pub(super) const COMPILE: &str = "\
Examples:
  brigade compile kitchen/soup.pddl
  brigade compile kitchen/soup.pddl --emit json > task.json";

pub(super) const PLAN: &str = "\
Examples:
  brigade plan kitchen/soup.pddl
      One plan and the proof that none is better
  brigade plan kitchen/domain.pddl kitchen/soup.pddl
      With the domain given; in either order
  brigade plan kitchen/soup.pddl --all
      How many optimal plans there are
  brigade plan kitchen/soup.pddl --time-limit 60 --format json > plan.json
      Within a minute; what was found by then is told";

pub(super) const RATS: &str = "\
Examples:
  brigade rats kitchen/soup.pddl
      The label sequences of each agent in all optimal plans
  brigade rats kitchen/soup.pddl --format json > rats.json
      To score episodes of other engines
  brigade rats kitchen/soup.pddl --dot joint > rats.dot
      A picture, for Graphviz";

pub(super) const RUN: &str = "\
Examples:
  brigade run kitchen/soup.pddl --agent helper=random --others planner --seed 7 --log episode.jsonl
      Who acts how, and where the log goes; --help lists the kinds of agents";

pub(super) const REPLAY: &str = "\
Examples:
  brigade replay kitchen/soup.pddl episode.jsonl
      Every state of the episode that `brigade run` wrote
  brigade replay kitchen/soup.pddl episode.jsonl --observe
      In the words of the domain";

#[cfg(feature = "serve")]
pub(super) const SERVE: &str = "\
Examples:
  brigade serve kitchen/soup.pddl --log-dir games
      Each cook is a person: prints an address for each
  brigade serve kitchen/soup.pddl --agent assistant=planner --log-dir games
      One person with the planner
  brigade serve kitchen/soup.pddl --log-dir games --resume
      Goes on with the last game, at the same addresses";

pub(super) const OBSERVE: &str = "\
Examples:
  brigade observe kitchen/soup.pddl --agent chef
  brigade observe kitchen/soup.pddl --agent chef --after episode.jsonl";

pub(super) const SCORE: &str = "\
Examples:
  brigade score episode.jsonl --problem kitchen/soup.pddl
  brigade score episode.jsonl --problem kitchen/soup.pddl --regret --format json > score.json
      Also how many ticks each decision lost";

pub(super) const VIEW: &str = "\
Examples:
  brigade view kitchen/soup.pddl
      An optimal plan as a Gantt chart, and all references as automata
  brigade view episode.jsonl --problem kitchen/soup.pddl
      An episode, step by step: states, commands, refusals, regret
  brigade view logs --no-open --output page
      An evaluation, as a page in a folder";

pub(super) const REPORT: &str = "\
Examples:
  brigade report logs --output report
      index.html, tables.csv, tables.json, tables.tex";

pub(super) const BENCH: &str = "\
Examples:
  brigade bench evals/ci.toml --dry-run
      What would be played
  brigade bench evals/ci.toml --log-dir logs
      Plays what is not finished in the folder, and writes tables";

pub(super) const AGENTS: &str = "\
Examples:
  brigade agents
  brigade agents react --write designs
      A copy, to be changed";

pub(super) const DOMAINS: &str = "\
Examples:
  brigade domains
      What there is; `brigade plan bundled:order-rush/lunch` reads a problem without a file
  brigade domains --copy boiled_egg
      The file boiled_egg.pddl; its domain need not be copied";

pub(super) const IMPORT: &str = "\
Examples:
  brigade import robotouille robotouille.json salad.json --out-domain domain.pddl --out-problem salad.pddl
      As files of the language
  brigade import overcooked cramped_room.layout --deliver 1
      As a problem of the bundled domain, with the first delivery as its goal";

pub(super) const GENERATE: &str = "\
Examples:
  brigade generate robotouille synchronous/0_cheese_sandwich --seed 7
      The task with other places
  brigade generate robotouille synchronous/0_cheese_sandwich --optimum 12..20
      Of proven difficulty
  brigade generate deal bundled:hanabi/full-2 --function face --seed 7
      Cards for a game of Hanabi
  brigade generate cookmas --level 3 --seed 7
      An evening in a restaurant: orders that come, change and are cancelled";

pub(super) const DOCTOR: &str = "\
Examples:
  brigade doctor --base-url http://127.0.0.1:8080/v1 --model local
      What the endpoint can do, and at what speed";

pub(super) const DEMO: &str = "\
Examples:
  brigade demo
  brigade demo bundled:order-rush/lunch
      The same of another problem";

pub(super) const COMPLETIONS: &str = "\
Examples:
  brigade completions bash";

pub(super) const MAN: &str = "\
Examples:
  brigade man plan
  brigade man --write man1
      A page a command";

pub(super) const FMT: &str = "\
Examples:
  brigade fmt kitchen
      All files below the folder
  brigade fmt --check kitchen
      Only say which are to be changed
  brigade fmt - < kitchen/soup.pddl
      From an editor";

pub(super) const SNAPSHOT: &str = "\
Examples:
  brigade snapshot --check kitchen
      Fails where a fact has changed: for continuous integration
  brigade snapshot kitchen
      Writes what has changed beside the snapshots, and shows it
  brigade snapshot --accept kitchen";

pub(super) const DIFF: &str = "\
Examples:
  brigade diff kitchen/soup.pddl kitchen/soup.pddl
      Two versions of a problem, of a domain, or of a folder of them";

pub(super) const EXPORT: &str = "\
Examples:
  brigade export kitchen/domain.pddl --to pddl
  brigade export kitchen/soup.pddl --to pddl --out-problem copy.pddl";

pub(super) const EXPLAIN: &str = "\
Examples:
  brigade explain E0102";

pub(super) const BEGIN: &str = "\
To begin with:
  brigade demo           the whole line on a bundled problem
  brigade new kitchen    a small domain of your own, to be changed
  brigade help plan      what a command does, with examples
The tutorial, the language and the how-to pages are in `docs/` of the repository.";
