//! Durative actions: how long they take, and when their conditions and effects are.

use super::super::ast::{Effect, Formula, Term, TimePoint};
use super::super::tree::{Node, Tree};
use super::construct::Place;
use super::context::Context;
use brigade_diagnostics::Code;

impl Context<'_> {
    /// Returns true if an `:action` says when its parts happen, or how long it takes, as durative ones do; reported.
    pub(super) fn is_timed(&mut self, tree: &Tree<'_>, items: &[Tree<'_>]) -> bool {
        let timed = items
            .iter()
            .flat_map(conjuncts)
            .find(|one| time_point(one).is_some_and(|(_, body)| self.is_no_term(one, body)));
        let duration = items.iter().find(|item| item.is_keyword("duration"));
        let Some(first) = duration.or(timed) else {
            return false;
        };
        let message = "this action takes time, and an `:action` is over at once";
        let diagnostic = self
            .at(
                Code::MalformedConstruct,
                tree.mark(),
                message,
                "not durative",
            )
            .secondary(self.source, first.mark(), "says when, or how long");
        let help = "write `(:durative-action name … :duration (= ?duration ticks) :condition … :effect …)`";
        self.push(diagnostic.help(help).mended());
        true
    }

    /// Returns true if the last part of a list that begins as a time does cannot be an argument: where `at` is a
    /// predicate, `(at start (place-of ?x))` is a fact of an object of that name.
    fn is_no_term(&self, timed: &Tree<'_>, last: &Tree<'_>) -> bool {
        let head = |tree: &Tree<'_>| Some(tree.items()?.first()?.name()?.to_owned());
        let (Some(time), Some(last)) = (head(timed), head(last)) else {
            return false;
        };
        let vocabulary = &self.vocabulary;
        !vocabulary.declares(&time)
            || vocabulary.is_predicate(&last)
            || vocabulary.is_construct(&last, Place::Effect)
    }

    /// Returns true if several parts of a durative action, and all, do not say when; reported.
    pub(super) fn is_without_times(&mut self, tree: &Tree<'_>, items: &[Tree<'_>]) -> bool {
        let is_part = |at: &usize| {
            let before = at.checked_sub(1).map(|before| &items[before]);
            before.is_some_and(|key| {
                let keys = ["condition", "precondition", "effect"];
                keys.iter().any(|known| key.is_keyword(known))
            })
        };
        let parts = (0..items.len()).filter(is_part);
        let mut parts = parts.flat_map(|at| conjuncts(&items[at])).peekable();
        let first = parts.peek().map(|part| part.mark());
        let is_timed = |part: &Tree<'_>| {
            let head = part.items().and_then(|items| items.first()?.name());
            head.is_none_or(|head| is_time_word(head) || is_container(head))
        };
        let (mut count, mut any) = (0, false);
        for part in parts {
            count += 1;
            any |= is_timed(part);
        }
        let Some(first) = first.filter(|_| count > 1 && !any) else {
            return false;
        };
        let message = "no part of this durative action says when";
        let diagnostic = self
            .at(Code::MalformedConstruct, tree.mark(), message, "")
            .secondary(self.source, first, "when?");
        let help = "wrap each in `(at start …)`, `(over all …)` or `(at end …)`; what is over at once is an \
                    `:action`";
        self.push(diagnostic.help(help).mended());
        true
    }

    /// `(= ?duration e)`.
    pub(super) fn duration(&mut self, tree: &Tree<'_>) -> Option<Term> {
        let is_duration = |tree: &Tree<'_>| matches!(tree.node, Node::Variable(v) if v.eq_ignore_ascii_case("duration"));
        match tree.items() {
            Some([head, left, right]) if head.is_name("=") && is_duration(left) => self.term(right),
            Some([head, ..])
                if ["<", "<=", ">", ">=", "and"]
                    .iter()
                    .any(|w| head.is_name(w)) =>
            {
                let what = "a duration that is not fixed";
                self.not_supported("duration-inequalities", tree.mark(), what);
                None
            }
            _ => {
                let help = "write `(= ?duration ticks)`";
                self.unexpected_help(Code::MalformedConstruct, tree, "a duration", help);
                None
            }
        }
    }

    /// `(and (at start φ) (over all φ) …)`, split by time point.
    pub(super) fn timed_conditions(&mut self, tree: &Tree<'_>) -> Vec<(TimePoint, Formula)> {
        match tree.items() {
            Some([]) => Vec::new(),
            Some([head, rest @ ..]) if head.is_name("and") => rest
                .iter()
                .flat_map(|item| self.timed_conditions(item))
                .collect(),
            Some([head, variables, body]) if head.is_name("forall") => {
                let variables = self.variables(variables);
                let bodies = self.timed_conditions(body).into_iter();
                bodies
                    .map(|(time, body)| {
                        let body = Box::new(body);
                        (time, Formula::Forall(variables.clone(), body, tree.span))
                    })
                    .collect()
            }
            _ => {
                if let Some((time, body)) = self.time_point(tree) {
                    return vec![(time, self.formula(body))];
                }
                if self.reads_untimed {
                    return vec![(TimePoint::AtStart, self.formula(tree))];
                }
                let shapes = "`(at start …)`, `(over all …)` or `(at end …)`";
                self.untimed(tree, "condition", shapes);
                Vec::new()
            }
        }
    }

    /// `(and (at start e) (at end e) …)`, split by time point.
    pub(super) fn timed_effects(&mut self, tree: &Tree<'_>) -> Vec<(TimePoint, Effect)> {
        match tree.items() {
            Some([]) => Vec::new(),
            Some([head, rest @ ..]) if head.is_name("and") => rest
                .iter()
                .flat_map(|item| self.timed_effects(item))
                .collect(),
            Some([head, variables, body]) if head.is_name("forall") => {
                let variables = self.variables(variables);
                let bodies = self.timed_effects(body).into_iter();
                bodies
                    .map(|(time, body)| {
                        let body = Box::new(body);
                        (time, Effect::Forall(variables.clone(), body, tree.span))
                    })
                    .collect()
            }
            Some([head, condition, effect]) if head.is_name("when") && !self.reads_untimed => {
                self.timed_when(tree, condition, effect)
            }
            _ => match self.time_point(tree) {
                Some((time, body)) if time != TimePoint::OverAll => vec![(time, self.effect(body))],
                _ if self.reads_untimed => vec![(TimePoint::AtEnd, self.effect(tree))],
                _ => {
                    self.untimed(tree, "effect", "`(at start …)` or `(at end …)`");
                    Vec::new()
                }
            },
        }
    }

    /// `(when (at start φ) (at start e))`; both must be at the same time.
    fn timed_when(
        &mut self,
        tree: &Tree<'_>,
        condition: &Tree<'_>,
        effect: &Tree<'_>,
    ) -> Vec<(TimePoint, Effect)> {
        match (time_point(condition), time_point(effect)) {
            (Some((when, condition)), Some((then, effect))) if when == then => {
                let condition = self.formula(condition);
                let effect = Box::new(self.effect(effect));
                vec![(then, Effect::When(condition, effect, tree.span))]
            }
            (Some(_), Some(_)) => {
                let what = "a conditional effect across two times";
                self.not_supported("durative-actions", tree.mark(), what);
                Vec::new()
            }
            (when, _) => {
                let untimed = if when.is_none() { condition } else { effect };
                self.untimed(untimed, "part", "`(at start …)` or `(at end …)`");
                Vec::new()
            }
        }
    }

    /// [`time_point`], also where its two words are written as one, which is reported.
    fn time_point<'t, 's>(&mut self, tree: &'t Tree<'s>) -> Option<(TimePoint, &'t Tree<'s>)> {
        let Some([head, body]) = tree.items() else {
            return time_point(tree);
        };
        body.items()?;
        let word = head.name()?.replace(['-', '_'], "").to_ascii_lowercase();
        let (time, written) = match word.as_str() {
            "atstart" | "start" => (TimePoint::AtStart, "at start"),
            "atend" | "end" => (TimePoint::AtEnd, "at end"),
            "overall" | "all" => (TimePoint::OverAll, "over all"),
            _ => return None,
        };
        let message = format!("`{}` is no time", head.name().unwrap_or_default());
        let diagnostic = self.at(Code::MalformedConstruct, head.span, message, "");
        self.push(diagnostic.help(format!("write `({written} …)`")).mended());
        Some((time, body))
    }

    fn untimed(&mut self, tree: &Tree<'_>, what: &str, shapes: &str) {
        if matches!(tree.node, Node::Junk) {
            return;
        }
        let message = format!("this {what} of a durative action has no time");
        let diagnostic = self.at(Code::MalformedConstruct, tree.mark(), message, "when?");
        self.push(diagnostic.help(format!("wrap it in {shapes}")));
    }
}

/// Returns true if a word begins a time point, also where it is written as one word.
fn is_time_word(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    ["at", "over"].iter().any(|time| word.starts_with(time)) || ["start", "end"].contains(&&*word)
}

/// Returns true if times may stand within a list that begins so.
fn is_container(word: &str) -> bool {
    ["forall", "when"]
        .iter()
        .any(|known| known.eq_ignore_ascii_case(word))
}

/// The items of an `and`, else the one that it is.
fn conjuncts<'t, 's>(tree: &'t Tree<'s>) -> &'t [Tree<'s>] {
    match tree.items() {
        Some([head, all @ ..]) if head.is_name("and") => all,
        _ => std::slice::from_ref(tree),
    }
}

/// `(at start x)`, `(over all x)`, `(at end x)`.
fn time_point<'t, 's>(tree: &'t Tree<'s>) -> Option<(TimePoint, &'t Tree<'s>)> {
    let Some([head, point, body]) = tree.items() else {
        return None;
    };
    let time = match (head.is_name("at"), head.is_name("over")) {
        (true, _) if point.is_name("start") => TimePoint::AtStart,
        (true, _) if point.is_name("end") => TimePoint::AtEnd,
        (_, true) if point.is_name("all") => TimePoint::OverAll,
        _ => return None,
    };
    Some((time, body))
}
