//! Effects.

use super::super::ast::{AssignOp, DelayGuard, Effect, Formula, Name, Term};
use super::super::tree::{Node, Tree};
use super::construct::{Place, is_condition_word, is_effect_word};
use super::context::Context;
use super::fields::Owner;
use super::loose::Expected;
use super::variables::split_variables;
use brigade_diagnostics::span::Span;
use brigade_diagnostics::{Code, suggest};

const AFTER: &str = "(after ticks [:while condition | :until condition] effect)";
const FOR_EACH: &str = "(for-each (?x - type) [:by key] effect)";
const LET: &str = "(let ((?x term)) effect [:else effect])";

impl Context<'_> {
    /// Reads an effect; an [`Effect::Error`] after a report.
    pub(super) fn effect(&mut self, tree: &Tree<'_>) -> Effect {
        let Some(items) = tree.items() else {
            if let [one] = &*self.regrouped(std::slice::from_ref(tree), Expected::Effect)
                && one.items().is_some()
            {
                return self.effect(one);
            }
            self.unexpected(Code::ExpectedEffect, tree, "an effect");
            return Effect::Error(tree.span);
        };
        let Some((head, args)) = items.split_first() else {
            return Effect::And(Vec::new(), tree.span);
        };
        let Some(word) = head.name() else {
            return self.headless_effect(tree, head, items);
        };
        self.compound_effect(tree, head, word, args)
            .unwrap_or(Effect::Error(tree.span))
    }

    fn effects(&mut self, items: &[Tree<'_>]) -> Vec<Effect> {
        let items = self.regrouped(items, Expected::Effect);
        items.iter().map(|item| self.effect(item)).collect()
    }

    /// Reads a list that does not begin with a name.
    fn headless_effect(&mut self, tree: &Tree<'_>, head: &Tree<'_>, items: &[Tree<'_>]) -> Effect {
        if let Some(meant) = self.infix(items, Expected::Effect) {
            return self.effect(&meant);
        }
        let (what, code) = ("the head of an effect", Code::ExpectedEffect);
        if let Some(meant) = self.headed(tree, items, Expected::Effect) {
            return self.effect(&meant);
        }
        if head.items().is_none() {
            let help = "an effect is a list that begins with a name, such as `(on ?x ?y)`";
            self.unexpected_help(code, head, what, help);
            return Effect::Error(tree.span);
        }
        let help = match items {
            [_] => "remove one of the two pairs of parentheses around it",
            _ => "several effects are joined by `(and …)`",
        };
        self.unexpected_help(code, head, what, help);
        Effect::And(self.effects(items), tree.span)
    }

    /// Reads the one effect that stands where several items may.
    pub(super) fn only_effect(&mut self, items: &[Tree<'_>], owner: &Owner<'_>) -> Option<Effect> {
        let items = self.regrouped(items, Expected::Effect);
        let first = self.one(&items, owner)?;
        match &*items {
            [_] => Some(self.effect(first)),
            several => {
                let all = several.iter().map(|item| self.effect(item)).collect();
                Some(Effect::And(all, first.span))
            }
        }
    }

    fn boxed_effect(&mut self, tree: &Tree<'_>) -> Box<Effect> {
        Box::new(self.effect(tree))
    }

    fn compound_effect(
        &mut self,
        tree: &Tree<'_>,
        head: &Tree<'_>,
        word: &str,
        args: &[Tree<'_>],
    ) -> Option<Effect> {
        let span = tree.span;
        if let Some(meant) = self.with_word_once(tree, head, args, Place::Effect) {
            return Some(self.effect(&meant));
        }
        match word.to_ascii_lowercase().as_str() {
            "and" => Some(Effect::And(self.effects(args), span)),
            "not" => self.delete(tree, args),
            "when" => {
                let args = self.regrouped(args, Expected::Effect);
                if !self.has_parts(tree, args.len(), 2..=2, "(when condition effect)") {
                    return None;
                }
                let condition = self.formula(&args[0]);
                Some(Effect::When(condition, self.boxed_effect(&args[1]), span))
            }
            "forall" => {
                let (list, body) = split_variables(args);
                let body = self.regrouped(body, Expected::Effect);
                let parts = list.len().min(1) + body.len();
                if !self.has_parts(tree, parts, 2..=2, "(forall (?x - type) effect)") {
                    return None;
                }
                let variables = self.variables_of(list);
                Some(Effect::Forall(variables, self.boxed_effect(&body[0]), span))
            }
            "assign" => self.assign(tree, args, AssignOp::Assign),
            "increase" => self.assign(tree, args, AssignOp::Increase),
            "decrease" => self.assign(tree, args, AssignOp::Decrease),
            "scale-up" => self.assign(tree, args, AssignOp::ScaleUp),
            "scale-down" => self.assign(tree, args, AssignOp::ScaleDown),
            _ => self.add_or_construct(tree, head, word, args),
        }
    }

    fn add_or_construct(
        &mut self,
        tree: &Tree<'_>,
        head: &Tree<'_>,
        word: &str,
        args: &[Tree<'_>],
    ) -> Option<Effect> {
        if let Some(construct) = self.construct(head, word, Place::Effect) {
            return match construct.name {
                "seq" => Some(Effect::Seq(self.effects(args), tree.span)),
                "after" => self.after(tree, args),
                "on-nth" => self.on_nth(tree, args),
                "maintain" => self.maintain(tree, args),
                "for-each" => self.for_each(tree, args),
                "case" => self.case(tree, args),
                "let" => self.let_effect(tree, args),
                "log" => self.log(tree, args),
                "do" => self.do_effect(tree, args),
                _ => None,
            };
        }
        if let Some(meant) = tree
            .items()
            .and_then(|items| self.infix(items, Expected::Effect))
        {
            return Some(self.effect(&meant));
        }
        if is_condition_word(word) && !self.vocabulary.declares(word) {
            let message = format!("`{word}` makes a condition, but an effect is needed here");
            let help = match word {
                "=" => "to set a function, write `(assign (f) value)`",
                "imply" => "a conditional effect is written `(when condition effect)`",
                _ => "",
            };
            let mut diagnostic =
                self.at(Code::ExpectedEffect, tree.mark(), message, "not an effect");
            if !help.is_empty() {
                diagnostic = diagnostic.help(help);
            }
            self.push(diagnostic);
            return None;
        }
        if let [delay, effect] = args
            && head.is_name("at")
            && delay.numeral().is_some()
            && effect.items().is_some()
        {
            let message = "`at` gives timed facts in `:init`, and no effect";
            let diagnostic = self.at(Code::ExpectedEffect, tree.mark(), message, "not an effect");
            let help = "write `(after ticks effect)`: so many ticks from now";
            self.push(diagnostic.help(help).mended());
            return self.after(tree, args);
        }
        if let Some(misspelt) = self.misspelt(head, word, args, Place::Effect) {
            return self.compound_effect(tree, head, misspelt.read_as?, args);
        }
        let terms = self.arguments(args)?;
        Some(Effect::Add(named(word, head), terms, tree.span))
    }

    fn delete(&mut self, tree: &Tree<'_>, args: &[Tree<'_>]) -> Option<Effect> {
        let args = self.regrouped(args, Expected::Effect);
        if !self.has_parts(tree, args.len(), 1..=1, "(not (predicate …))") {
            return None;
        }
        let (name, terms) =
            self.application(&args[0], Code::ExpectedEffect, "a predicate `(p …)`")?;
        if is_effect_word(&name.text) || is_condition_word(&name.text) {
            let message = format!(
                "only an atom can be negated in an effect, not `{}`",
                name.text
            );
            let diagnostic = self.at(Code::ExpectedEffect, args[0].mark(), message, "");
            let help = match args[0].items() {
                Some([head, function, _]) if head.is_name("=") && function.items().is_some() => {
                    "a function loses its value by `(assign (function …) undefined)`"
                }
                _ => "write `(not (predicate …))`",
            };
            self.push(diagnostic.help(help));
            return None;
        }
        Some(Effect::Delete(name, terms, tree.span))
    }

    /// `(name term …)`.
    pub(super) fn application(
        &mut self,
        tree: &Tree<'_>,
        code: Code,
        what: &str,
    ) -> Option<(Name, Vec<Term>)> {
        let head = tree.items().and_then(<[_]>::split_first);
        let Some((head, args)) = head else {
            let help = match tree.node {
                Node::Name(name) => format!("write it in parentheses: `({name})`"),
                _ => String::new(),
            };
            self.unexpected_help(code, tree, what, &help);
            return None;
        };
        let Some(word) = head.name() else {
            self.unexpected(code, head, "a name");
            return None;
        };
        Some((named(word, head), self.arguments(args)?))
    }

    fn assign(&mut self, tree: &Tree<'_>, args: &[Tree<'_>], op: AssignOp) -> Option<Effect> {
        let word = tree.items().and_then(|items| items.first()?.name());
        let word = word.unwrap_or("assign").to_ascii_lowercase();
        if !self.arity(tree, 2..=2, &format!("({word} (function …) value)")) {
            return None;
        }
        let (target, value) = (self.term(&args[0]), self.term(&args[1]));
        let target = target?;
        if !matches!(target, Term::Apply(..) | Term::Name(_)) {
            self.unexpected(Code::ExpectedTerm, &args[0], "a function `(f …)`");
            return None;
        }
        Some(Effect::Assign(op, target, value?, tree.span))
    }

    fn after(&mut self, tree: &Tree<'_>, args: &[Tree<'_>]) -> Option<Effect> {
        let mut args = args.to_vec();
        if let [_, word, _, _] = &mut args[..]
            && let Some(name) = word.name().filter(|name| is_guard(name))
        {
            let message = format!("`{name}` is a keyword, which begins with a colon");
            let diagnostic = self.at(Code::UnknownKeyword, word.span, message, "no keyword");
            self.push(diagnostic.help(format!("write `:{name}`")).mended());
            word.node = Node::Keyword(name);
        }
        let args = &args[..];
        if let [first, ..] = args
            && first.keyword().is_some_and(is_guard)
        {
            let message = "how long it takes is missing in this `after`";
            let label = "no number before this";
            let diagnostic = self.at(Code::MalformedConstruct, first.span, message, label);
            self.push(diagnostic.help(format!("write `{AFTER}`")).mended());
            return None;
        }
        let grouped = match args {
            // The delay comes first, which is no list of its own.
            [delay, rest @ ..] if delay.items().is_none() && rest.first().is_some_and(is_name) => {
                let rest = self.regrouped(rest, Expected::Effect);
                std::iter::once(*delay)
                    .chain(rest.iter().copied())
                    .collect()
            }
            _ => args.to_vec(),
        };
        let args = &grouped[..];
        if !self.has_parts(tree, args.len(), 2..=4, AFTER) {
            return None;
        }
        if let [effect, delay] = args
            && effect.items().is_some()
            && (delay.items().is_none() || self.is_predicate(effect) && self.is_function(delay))
        {
            let message = "the delay of `after` comes before the effect";
            let diagnostic = self.at(Code::MalformedConstruct, delay.span, message, "the delay");
            self.push(diagnostic.help("exchange the two: `(after ticks effect)`"));
            let ticks = self.term(delay);
            let effect = self.boxed_effect(effect);
            return Some(Effect::After(ticks?, None, effect, tree.span));
        }
        let delay = self.term(&args[0]);
        let guard = match args {
            [_, _] => None,
            [_, key, guard, _] if key.is_keyword("while") => {
                Some(DelayGuard::While(self.formula(guard)))
            }
            [_, key, guard, _] if key.is_keyword("until") => {
                Some(DelayGuard::Until(self.formula(guard)))
            }
            _ => {
                self.malformed(&args[1], AFTER);
                return None;
            }
        };
        let effect = self.boxed_effect(&args[args.len() - 1]);
        Some(Effect::After(delay?, guard, effect, tree.span))
    }

    /// Is this a list that begins with a predicate?
    fn is_predicate(&self, tree: &Tree<'_>) -> bool {
        let head = tree.items().and_then(|items| items.first()?.name());
        head.is_some_and(|head| self.vocabulary.is_predicate(head))
    }

    /// Is this a list that begins with a function?
    fn is_function(&self, tree: &Tree<'_>) -> bool {
        let head = tree.items().and_then(|items| items.first()?.name());
        let vocabulary = &self.vocabulary;
        head.is_some_and(|head| vocabulary.declares(head) && !vocabulary.is_predicate(head))
    }

    fn on_nth(&mut self, tree: &Tree<'_>, args: &[Tree<'_>]) -> Option<Effect> {
        if !self.arity(tree, 2..=2, "(on-nth number effect)") {
            return None;
        }
        let (number, effect) = (&args[0], &args[1]);
        let is_exchange = effect.items().is_none() && number.items().is_some()
            || self.is_predicate(number) && self.is_function(effect);
        let (number, effect) = if is_exchange {
            let message = "the number of `on-nth` comes before the effect";
            let diagnostic = self.at(Code::MalformedConstruct, effect.span, message, "the number");
            let help = "exchange the two: `(on-nth number effect)`";
            self.push(diagnostic.help(help).mended());
            (effect, number)
        } else {
            (number, effect)
        };
        let number = self.term(number);
        let effect = self.boxed_effect(effect);
        Some(Effect::OnNth(number?, effect, tree.span))
    }

    fn maintain(&mut self, tree: &Tree<'_>, args: &[Tree<'_>]) -> Option<Effect> {
        if !self.arity(tree, 2..=usize::MAX, "(maintain condition effect body …)") {
            return None;
        }
        let condition = self.formula(&args[0]);
        let effect = self.boxed_effect(&args[1]);
        let body = self.effects(&args[2..]);
        Some(Effect::Maintain(condition, effect, body, tree.span))
    }

    fn for_each(&mut self, tree: &Tree<'_>, args: &[Tree<'_>]) -> Option<Effect> {
        if !self.arity(tree, 2..=4, FOR_EACH) {
            return None;
        }
        let variables = self.variables(&args[0]);
        let key = match args {
            [_, _] => None,
            [_, keyword, key, _] if keyword.is_keyword("by") => Some(self.term(key)),
            _ => {
                self.malformed(&args[1], FOR_EACH);
                return None;
            }
        };
        let effect = self.boxed_effect(&args[args.len() - 1]);
        let key = match key {
            Some(key) => Some(key?),
            None => None,
        };
        Some(Effect::ForEach(variables, key, effect, tree.span))
    }

    fn case(&mut self, tree: &Tree<'_>, args: &[Tree<'_>]) -> Option<Effect> {
        const SHAPE: &str = "(case (condition effect) … (else effect))";
        if !self.arity(tree, 1..=usize::MAX, SHAPE) {
            return None;
        }
        let mut branches: Vec<(Formula, Effect)> = Vec::new();
        let mut otherwise = None;
        let args = match args {
            // The last branch without its parentheses.
            [before @ .., word, effect] if word.is_name("else") => {
                let message = "`else` stands without its parentheses";
                let diagnostic = self.at(Code::MalformedConstruct, word.span, message, "");
                self.push(diagnostic.help("write `(else effect)`").mended());
                otherwise = Some(self.boxed_effect(effect));
                before
            }
            all => all,
        };
        for (i, branch) in args.iter().enumerate() {
            let Some([condition, effect]) = branch.items() else {
                let help = format!("write `{SHAPE}`");
                let what = "a branch `(condition effect)`";
                self.unexpected_help(Code::MalformedConstruct, branch, what, &help);
                continue;
            };
            let is_else = condition.is_name("else") || self.is_misspelt_else(condition);
            if !is_else {
                let condition = self.formula(condition);
                branches.push((condition, self.effect(effect)));
                continue;
            }
            if i + 1 != args.len() {
                let message = "`else` is the last branch of a `case`";
                let label = "branches after it are never tried";
                let diagnostic = self.at(Code::MalformedConstruct, branch.mark(), message, label);
                self.push(diagnostic.help("move it to the end"));
            }
            otherwise = Some(self.boxed_effect(effect));
        }
        Some(Effect::Case(branches, otherwise, tree.span))
    }

    /// Is it the `else` of a `case`, misspelt? If so, that is reported.
    fn is_misspelt_else(&mut self, condition: &Tree<'_>) -> bool {
        let word = condition.name();
        let Some(word) = word.filter(|word| suggest(word, ["else"]).is_some()) else {
            return false;
        };
        let message = format!("`{word}` begins no branch of a `case`");
        let code = Code::MalformedConstruct;
        let diagnostic = self.at(code, condition.span, message, "not a condition");
        self.push(diagnostic.help("did you mean `else`?").mended());
        true
    }

    fn let_effect(&mut self, tree: &Tree<'_>, args: &[Tree<'_>]) -> Option<Effect> {
        if !self.arity(tree, 2..=4, LET) {
            return None;
        }
        let bindings = self.bindings(&args[0]);
        let otherwise = match args {
            [_, _] => None,
            [_, _, key, otherwise] if key.is_keyword("else") => Some(self.boxed_effect(otherwise)),
            _ => {
                self.malformed(&args[2], LET);
                return None;
            }
        };
        let effect = self.boxed_effect(&args[1]);
        self.doubt_unbound(&args[0], bindings.len(), tree.span);
        Some(Effect::Let(bindings, effect, otherwise, tree.span))
    }

    /// `((?x term) …)`.
    pub(super) fn bindings(&mut self, tree: &Tree<'_>) -> Vec<(Name, Term)> {
        const HELP: &str = "write `((?x term) …)`";
        let Some(items) = tree.items() else {
            self.unexpected_help(Code::MalformedConstruct, tree, "a list of bindings", HELP);
            return Vec::new();
        };
        let mut bindings = Vec::new();
        if let [variable, term] = items
            && matches!(variable.node, Node::Variable(_))
        {
            let message = "the bindings stand in a pair of parentheses of their own";
            let diagnostic = self.at(Code::MalformedConstruct, tree.span, message, "one binding");
            self.push(diagnostic.help(HELP).mended());
            let variable = self.variable(variable, "a variable");
            bindings.extend(variable.zip(self.term(term)));
            return bindings;
        }
        for item in items {
            let Some([variable, term]) = item.items() else {
                self.unexpected_help(Code::MalformedConstruct, item, "a binding", HELP);
                continue;
            };
            let variable = self.variable(variable, "a variable");
            let term = self.term(term);
            bindings.extend(variable.zip(term));
        }
        bindings
    }

    /// Marks `owner` as doubtful where a binding could not be read: its variable is not known in the scope of the
    /// bindings.
    pub(super) fn doubt_unbound(&mut self, list: &Tree<'_>, read: usize, owner: Span) {
        let is_bare = |items: &[Tree<'_>]| {
            read == 1
                && matches!(
                    items,
                    [
                        Tree {
                            node: Node::Variable(_),
                            ..
                        },
                        _
                    ]
                )
        };
        if list
            .items()
            .is_none_or(|items| items.len() != read && !is_bare(items))
        {
            self.diagnostics.doubt(self.source, owner);
        }
    }

    fn log(&mut self, tree: &Tree<'_>, args: &[Tree<'_>]) -> Option<Effect> {
        if !self.arity(tree, 1..=1, "(log \"text\")") {
            return None;
        }
        let template = self.template(&args[0], "a text")?;
        Some(Effect::Log(template, tree.span))
    }

    fn do_effect(&mut self, tree: &Tree<'_>, args: &[Tree<'_>]) -> Option<Effect> {
        if !self.arity(tree, 1..=1, "(do (action term …))") {
            return None;
        }
        let what = "an action `(name term …)`";
        let (name, terms) = self.application(&args[0], Code::MalformedConstruct, what)?;
        Some(Effect::Do(name, terms, tree.span))
    }

    fn malformed(&mut self, at: &Tree<'_>, shape: &str) {
        let message = format!("this is not how `{}` is written", first_word(shape));
        let diagnostic = self.at(Code::MalformedConstruct, at.mark(), message, "unexpected");
        self.push(diagnostic.help(format!("write `{shape}`")));
    }
}

fn is_name(tree: &Tree<'_>) -> bool {
    tree.name().is_some()
}

fn first_word(shape: &str) -> &str {
    let inner = shape.trim_start_matches('(');
    inner.split_whitespace().next().unwrap_or(inner)
}

fn named(word: &str, head: &Tree<'_>) -> Name {
    Name {
        text: word.into(),
        span: head.span,
    }
}

/// Is this the word of what pauses or cancels a delayed effect?
fn is_guard(word: &str) -> bool {
    ["while", "until"]
        .iter()
        .any(|guard| guard.eq_ignore_ascii_case(word))
}
