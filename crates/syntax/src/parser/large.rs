//! Actions, events, rules and goals that are larger than any planner can use: they are not read.

use super::super::tree::Tree;
use super::context::Context;
use super::sections::Section;
use brigade_diagnostics::Code;

/// Lists and words of an action, event, rule or goal, at most.
const MAX_SIZE: usize = 500_000;

impl Context<'_> {
    /// Returns true if a section is too large, which is reported.
    pub(super) fn is_too_large(&mut self, section: &Section<'_, '_>) -> bool {
        if !is_too_large(section.tree) {
            return false;
        }
        let name = section.items.first().and_then(Tree::name);
        let name = name.map_or_else(String::new, |name| format!(" `{name}`"));
        let message = format!(
            "`:{}`{name} has more than {MAX_SIZE} lists and words",
            section.key
        );
        let diagnostic = self.at(
            Code::SourceTooLarge,
            section.tree.mark(),
            message,
            "not read",
        );
        let help = "no planner can use what is so large: say it with parameters, or `forall`";
        self.push(diagnostic.help(help));
        true
    }
}

/// Returns true if a list holds more lists and words than are read.
fn is_too_large(tree: &Tree<'_>) -> bool {
    /// Counts what stands in a list, as long as it is no more than what is left.
    fn count(items: &[Tree<'_>], left: &mut usize) -> bool {
        let Some(fewer) = left.checked_sub(items.len()) else {
            return false;
        };
        *left = fewer;
        let mut lists = items.iter().filter_map(Tree::items);
        lists.all(|items| count(items, left))
    }
    // Each takes a byte at least.
    let may_be = tree.span.range().len() > MAX_SIZE;
    may_be && !count(tree.items().unwrap_or_default(), &mut { MAX_SIZE })
}
