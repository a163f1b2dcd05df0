//! Problem files.

use super::super::ast::{Formula, Metric, Name, Problem};
use super::super::tree::{Node, Tree};
use super::context::Context;
use super::present::{DOMAIN_SECTIONS, PROBLEM_SECTIONS};
use super::sections::Section;
use brigade_diagnostics::Code;
use brigade_diagnostics::span::Span;

impl Context<'_> {
    pub(super) fn problem(
        &mut self,
        name: Option<Name>,
        sections: &[Tree<'_>],
        span: Span,
    ) -> Problem {
        let mut problem = Problem {
            name,
            span,
            ..Problem::default()
        };
        let sections = self.sections(sections, "problem", PROBLEM_SECTIONS, DOMAIN_SECTIONS);
        for section in &sections {
            self.problem_section(&mut problem, section);
        }
        let has_domain = sections.iter().any(|section| section.key == "domain");
        if !has_domain && !self.is_unbalanced() {
            let at = problem.name.as_ref().map_or(span, |name| name.span);
            let message = "the problem does not name its domain";
            let diagnostic = self.at(Code::MissingPart, at, message, "");
            self.push(diagnostic.help("add `(:domain name)`"));
        }
        problem
    }

    /// Returns true if unbalanced parentheses were reported. Sections may then stand within others.
    pub(super) fn is_unbalanced(&self) -> bool {
        self.diagnostics.iter().any(|found| {
            matches!(
                found.code,
                Code::UnclosedParenthesis | Code::StrayParenthesis
            ) && found
                .place()
                .is_some_and(|place| place.source == self.source)
        })
    }

    fn problem_section(&mut self, problem: &mut Problem, section: &Section<'_, '_>) {
        let items = section.items;
        match section.key {
            "domain" => {
                let name = self.only(section);
                problem.domain = name.and_then(|name| self.name(name, "the name of a domain"));
            }
            "requirements" => problem.requirements.extend(self.requirements(items)),
            "objects" => {
                let (all, private) = (&mut problem.objects, &mut problem.private_objects);
                self.objects(items, all, private);
            }
            "init" => problem.init.extend(self.init_items(items)),
            "layout" => problem.layout.extend(self.layout(items)),
            "goal" | "fail" | "end" | "metric" if self.is_too_large(section) => {}
            "goal" => {
                let (goal, text) = self.goal_text(section.items);
                problem.goal_text = text.and_then(|text| self.template(text, "the goal in words"));
                problem.goal = if goal.is_empty() {
                    let span = section.span;
                    let diagnostic = self.at(Code::MissingValue, span, "the goal is empty", "");
                    let help =
                        "write what is to hold: `(:goal (on ?x ?y))`; `(:goal (and))` always holds";
                    self.push(diagnostic.help(help));
                    Some(Formula::Error(span))
                } else {
                    self.only_formula(goal, &section.owner())
                };
            }
            "metric" => problem.metric = self.metric(section),
            "horizon" => {
                problem.horizon = self.only(section).and_then(|ticks| {
                    let value = self.integer(ticks, "the horizon")?;
                    if value < 0 {
                        let message = "the horizon is a number of ticks";
                        self.error(Code::ExpectedNumber, ticks.span, message, "negative");
                        return None;
                    }
                    Some((value, section.tree.span))
                });
            }
            "end" => problem.end = self.only_formula(items, &section.owner()),
            _ => problem.fail = self.only_formula(items, &section.owner()),
        }
    }

    /// Parts a goal from what it says in words, whose keyword may be misspelt or missing.
    fn goal_text<'t, 's>(
        &mut self,
        items: &'t [Tree<'s>],
    ) -> (&'t [Tree<'s>], Option<&'t Tree<'s>>) {
        const TEXT: &str = "text";
        match items {
            [goal @ .., key, again, text] if key.is_keyword(TEXT) && again.is_keyword(TEXT) => {
                let twice = std::slice::from_ref(again);
                self.undoubled(Some(key), twice, Code::DuplicateKeyword);
                (goal, Some(text))
            }
            [goal @ .., key, text] if key.is_keyword(TEXT) => (goal, Some(text)),
            [goal @ .., key, text]
                if matches!(text.node, Node::Text(_))
                    && (key.keyword().is_some() || key.is_name(TEXT)) =>
            {
                let message = match key.node {
                    Node::Keyword(word) => format!("`:{word}` is not a keyword of a goal"),
                    _ => format!("`{TEXT}` stands without its colon"),
                };
                let diagnostic = self.at(Code::UnknownKeyword, key.span, message, "not known here");
                self.push(diagnostic.help(format!("write `:{TEXT}`")).mended());
                (goal, Some(text))
            }
            [goal @ .., text]
                if matches!(text.node, Node::Text(_))
                    && goal.last().is_some_and(|last| last.items().is_some()) =>
            {
                let message = format!("a text stands without `:{TEXT}` before it");
                let diagnostic = self.at(Code::MissingPart, text.span, message, "of the goal");
                self.push(diagnostic.help(format!("write `:{TEXT} \"…\"`")).mended());
                (goal, Some(text))
            }
            goal => (goal, None),
        }
    }

    /// `(:metric minimize e)`.
    fn metric(&mut self, section: &Section<'_, '_>) -> Option<Metric> {
        const DIRECTIONS: &[(&str, bool)] = &[("minimize", false), ("maximize", true)];
        let [direction, value] = section.items else {
            let message = "this is not how `:metric` is written";
            let diagnostic = self.at(Code::MalformedConstruct, section.tree.mark(), message, "");
            self.push(diagnostic.help("write `(:metric minimize value)`"));
            return None;
        };
        let maximize = self.one_of(direction, DIRECTIONS);
        let value = self.term(value);
        Some(Metric {
            maximize: maximize?,
            value: value?,
            span: section.tree.span,
        })
    }
}
