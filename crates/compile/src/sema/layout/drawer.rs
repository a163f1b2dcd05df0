//! Resolves a `draw` or `face`: the facts that it depends on, and what is drawn where.

use crate::sema::body::Body;
use crate::sema::model::{
    Argument, Comparison, Cond, Drawing, Expr, FactPattern, FactValue, FluentId, Target, Term,
    Thing, Word,
};
use crate::sema::report::{self, problem};
use crate::sema::terms::Sort;
use brigade_diagnostics::Code;
use brigade_diagnostics::span::Span;
use brigade_syntax::ast::{self, Drawn, Formula, Template, TemplatePart};

const DIRECTIONS: [&str; 4] = ["north", "south", "east", "west"];

/// Resolves one item that draws something.
pub(super) struct Drawer<'b, 'c, 'd> {
    body: &'b mut Body<'c, 'd>,
    facts: Vec<FactPattern>,
}

impl<'b, 'c, 'd> Drawer<'b, 'c, 'd> {
    pub(super) fn new(body: &'b mut Body<'c, 'd>) -> Self {
        Self {
            body,
            facts: Vec::new(),
        }
    }

    pub(super) fn drawing(mut self, drawing: &ast::Drawing, draws: bool) -> Option<Drawing> {
        self.body.declare(&drawing.variables);
        let are_facts = (drawing.fact.iter()).all(|fact| self.facts_of(fact).is_some());
        let thing = match &drawing.thing {
            Drawn::Object(term) => self.object(term).map(Thing::Object),
            Drawn::Text(text) => self.text(text).map(Thing::Text),
        };
        let at = if draws {
            let at = self.object(&drawing.at);
            match &drawing.column {
                Some(column) => {
                    let column = self.object(column);
                    at.zip(column)
                        .map(|(row, column)| Target::Crossing(row, column))
                }
                None => at.map(Target::Place),
            }
        } else {
            self.direction(&drawing.at).map(Target::Direction)
        };
        let (thing, at) = (thing?, at?);
        if !are_facts || !self.body.is_sound() {
            return None;
        }
        self.body.warn_of_unused();
        self.check_bound(drawing, &thing, &at)?;
        let variables = std::mem::take(&mut self.body.scope.variables);
        let variables = variables.into_iter().map(|variable| variable.types);
        Some(Drawing {
            variables: variables.collect(),
            facts: self.facts,
            thing,
            at,
        })
    }

    /// Reports a variable that is drawn, and that no fact binds.
    fn check_bound(&mut self, drawing: &ast::Drawing, thing: &Thing, at: &Target) -> Option<()> {
        let in_facts = self.facts.iter().flat_map(|fact| {
            let value = match fact.value {
                FactValue::Argument(value) => Some(value),
                FactValue::True | FactValue::Number(_) | FactValue::Any => None,
            };
            fact.args.iter().copied().chain(value)
        });
        let bound: Vec<Argument> = in_facts.collect();
        let targets = match *at {
            Target::Place(place) => vec![place],
            Target::Crossing(row, column) => vec![row, column],
            Target::Direction(Word::Argument(direction)) => vec![direction],
            Target::Direction(Word::Text(_)) => Vec::new(),
        };
        let things: Vec<Argument> = match thing {
            Thing::Object(object) => vec![*object],
            Thing::Text(words) => (words.iter())
                .filter_map(|word| match word {
                    Word::Argument(argument) => Some(*argument),
                    Word::Text(_) => None,
                })
                .collect(),
        };
        let free = things
            .into_iter()
            .chain(targets)
            .find_map(|argument| match argument {
                Argument::Variable(variable) if !bound.contains(&argument) => Some(variable),
                _ => None,
            });
        let Some(variable) = free else {
            return Some(());
        };
        let name = self.body.scope.variables[variable.index()].name.clone();
        let message = format!("no fact says which `?{name}` is drawn");
        let help = "name it in a fact after `:when`, or in a function of what is drawn";
        self.not_drawable(message, drawing.span, help);
        None
    }

    /// Reads the facts on which something is drawn. `None` if one was reported.
    fn facts_of(&mut self, formula: &Formula) -> Option<()> {
        let errors = self.body.cx.reporter.error_count();
        let cond = self.body.cond(formula);
        if self.body.broken || self.body.cx.reporter.error_count() > errors {
            return None;
        }
        let all = match cond {
            Cond::True => Vec::new(),
            Cond::And(all) => all,
            one => vec![one],
        };
        for one in all {
            if self.add_fact(one).is_none() {
                let help =
                    "write `(predicate …)`, `(= (function …) value)`, or several in an `and`";
                let message = "a layout draws by facts";
                self.not_drawable(message, formula.span(), help);
                return None;
            }
        }
        self.check_basic(formula.span())
    }

    /// Derived facts are in no log. Those that have words are drawn for those who observe them.
    fn check_basic(&mut self, span: Span) -> Option<()> {
        let symbols = &self.body.cx.symbols;
        let mut fluents = self.facts.iter().map(|fact| fact.fluent);
        let is_unknown = |fluent: &FluentId| {
            symbols.is_derived(*fluent) && symbols.fluents[fluent.index()].texts.is_empty()
        };
        let Some(derived) = fluents.find(is_unknown) else {
            return Some(());
        };
        let name = symbols.fluents[derived.index()].name.clone();
        let message = format!("`{name}` is derived, and is no fact of the state");
        self.not_drawable(message, span, "draw by a fact that its rules read");
        None
    }

    fn add_fact(&mut self, cond: Cond) -> Option<()> {
        let (fluent, args, value) = match cond {
            Cond::Atom(fluent, args) => (fluent, args, FactValue::True),
            Cond::Same(Term::Fluent(fluent, args), value)
            | Cond::Same(value, Term::Fluent(fluent, args)) => {
                let value = self.argument(&value)?;
                (fluent, args, FactValue::Argument(value))
            }
            Cond::Compare(Comparison::Equal, Expr::Fluent(fluent, args), Expr::Constant(value))
            | Cond::Compare(Comparison::Equal, Expr::Constant(value), Expr::Fluent(fluent, args)) => {
                (fluent, args, FactValue::Number(value))
            }
            _ => return None,
        };
        let args = self.arguments(&args)?;
        self.facts.push(FactPattern {
            fluent,
            args,
            value,
        });
        Some(())
    }

    /// A term as an argument of a fact. A function becomes a fact itself.
    fn argument(&mut self, term: &Term) -> Option<Argument> {
        match term {
            Term::Variable(variable) => Some(Argument::Variable(*variable)),
            Term::Object(object) => Some(Argument::Object(*object)),
            Term::Fluent(fluent, args) => self.value_of(*fluent, args),
            Term::Undefined => None,
        }
    }

    fn arguments(&mut self, terms: &[Term]) -> Option<Vec<Argument>> {
        terms.iter().map(|term| self.argument(term)).collect()
    }

    /// The value of a function, of a fact of its own.
    fn value_of(&mut self, fluent: FluentId, args: &[Term]) -> Option<Argument> {
        let fact = FactPattern {
            fluent,
            args: self.arguments(args)?,
            value: FactValue::Any,
        };
        let known = self.facts.iter().position(|other| *other == fact);
        Some(Argument::ValueOf(known.unwrap_or_else(|| {
            self.facts.push(fact);
            self.facts.len() - 1
        })))
    }

    fn object(&mut self, term: &ast::Term) -> Option<Argument> {
        let object = self.body.object_term(term)?;
        let found = self.argument(&object.term);
        if found.is_none() {
            let help = "name a variable, an object, or a function that has objects as values";
            self.not_drawable("`undefined` is not drawn", term.span(), help);
        }
        found
    }

    fn text(&mut self, text: &Template) -> Option<Vec<Word>> {
        let words = text.parts.iter().map(|part| match part {
            TemplatePart::Text(text) => Some(Word::Text(text.clone())),
            TemplatePart::Slot(slot) if self.body.sort_of(slot) == Sort::Number => {
                self.number(slot).map(Word::Argument)
            }
            TemplatePart::Slot(slot) => self.object(slot).map(Word::Argument),
        });
        let words: Vec<Option<Word>> = words.collect();
        words.into_iter().collect()
    }

    fn number(&mut self, slot: &ast::Term) -> Option<Argument> {
        let number = self.body.number(slot)?;
        let found = match &number.expr {
            Expr::Fluent(fluent, args) if number.scale == 1 => self.value_of(*fluent, args),
            _ => None,
        };
        if found.is_none() {
            let help = "name a function in the slot";
            self.not_drawable("what is computed is not drawn", slot.span(), help);
        }
        found
    }

    fn direction(&mut self, term: &ast::Term) -> Option<Word> {
        let ast::Term::Name(name) = term else {
            return self.object(term).map(Word::Argument);
        };
        let key = name.key();
        if DIRECTIONS.contains(&key.as_str()) {
            return Some(Word::Text(key));
        }
        let place = self.body.place(name.span);
        let otherwise = "the directions are `north`, `south`, `east` and `west`";
        let code = Code::NotDrawable;
        let diagnostic = report::unknown(code, "direction", name, place, DIRECTIONS, otherwise);
        self.body.push(diagnostic);
        None
    }

    fn not_drawable(&mut self, message: impl Into<String>, span: Span, help: &str) {
        let place = self.body.place(span);
        let diagnostic = problem(Code::NotDrawable, message, place, "");
        self.body.push(diagnostic.help(help));
    }
}
