//! Lifted conditions and effects as PDDL, with holes for the objects of an instance.
//!
//! The text of an effect with its holes filled is its *ground text*: see
//! [`delayed`](super::delayed). A condition's says why an operator is refused, where the author
//! gave no reason.

use crate::sema::model::{
    AssignOp, Binding, Choice, Comparison, Cond, DelayGuard, Effect, Expr, FluentId, Model,
    Template, TemplatePart, Term, TypeId, Variable,
};

/// Stands for a hole; no text of a file holds it unescaped.
const HOLE: char = '\u{1}';

/// A text and what its holes stand for: variables of the schema and objects, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Lifted {
    pub(super) words: String,
    pub(super) holes: Vec<Term>,
}

impl Lifted {
    pub(super) fn cond(model: &Model, variables: &[Variable], cond: &Cond) -> Self {
        let mut writer = Writer::new(model, variables);
        writer.cond(cond);
        writer.lifted
    }

    pub(super) fn expr(model: &Model, variables: &[Variable], expr: &Expr) -> Self {
        let mut writer = Writer::new(model, variables);
        writer.expr(expr);
        writer.lifted
    }

    pub(super) fn effect(model: &Model, variables: &[Variable], effect: &Effect) -> Self {
        let mut writer = Writer::new(model, variables);
        writer.effect(effect);
        writer.lifted
    }

    /// The text of `name` applied to the first variables, within a word.
    pub(super) fn applied(word: &str, name: &str, parameters: usize) -> Self {
        let mut lifted = Self {
            words: format!("({word} ({name}"),
            holes: Vec::with_capacity(parameters),
        };
        for parameter in 0..parameters {
            lifted.words.extend([' ', HOLE]);
            let parameter = Binding(parameter as u32);
            lifted.holes.push(Term::Variable(parameter));
        }
        lifted.words.push_str("))");
        lifted
    }
}

/// The text with its holes filled, in order.
pub(super) fn filled<'n>(words: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    let mut names = names.into_iter();
    let mut text = String::with_capacity(words.len());
    for letter in words.chars() {
        if letter == HOLE {
            text.push_str(names.next().unwrap_or_default());
        } else {
            text.push(letter);
        }
    }
    text
}

struct Writer<'a> {
    model: &'a Model,
    variables: &'a [Variable],
    /// Variables bound within the text, which keep their names.
    inner: Vec<Binding>,
    lifted: Lifted,
}

impl<'a> Writer<'a> {
    fn new(model: &'a Model, variables: &'a [Variable]) -> Self {
        Self {
            model,
            variables,
            inner: Vec::new(),
            lifted: Lifted::default(),
        }
    }

    fn word(&mut self, word: &str) {
        self.lifted.words.push_str(word);
    }

    /// `(head …)`, where `parts` writes a space before each part.
    fn list(&mut self, head: &str, parts: impl FnOnce(&mut Self)) {
        self.word("(");
        self.word(head);
        parts(self);
        self.word(")");
    }

    fn spaced(&mut self, part: impl FnOnce(&mut Self)) {
        self.word(" ");
        part(self);
    }

    fn each<T>(&mut self, parts: &[T], mut write: impl FnMut(&mut Self, &T)) {
        for part in parts {
            self.spaced(|this| write(this, part));
        }
    }

    fn hole(&mut self, term: Term) {
        self.lifted.words.push(HOLE);
        self.lifted.holes.push(term);
    }

    fn variable(&mut self, variable: Binding) {
        let name = self.variables[variable.index()].name.to_lowercase();
        self.word("?");
        self.word(&name);
    }

    /// `?x - type`.
    fn typed(&mut self, variable: Binding) {
        self.variable(variable);
        self.word(" - ");
        self.types(&self.variables[variable.index()].types);
    }

    fn types(&mut self, types: &[TypeId]) {
        let model = self.model;
        let name = |ty: &TypeId| &*model.types[ty.index()].name;
        match types {
            [ty] => self.word(name(ty)),
            _ => self.list("either", |this| {
                this.each(types, |this, ty| this.word(name(ty)));
            }),
        }
    }

    /// A list of variables, and what they are bound in.
    fn quantified(&mut self, head: &str, variables: &[Binding], body: impl FnOnce(&mut Self)) {
        self.list(head, |this| {
            this.word(" (");
            for (at, &variable) in variables.iter().enumerate() {
                if at > 0 {
                    this.word(" ");
                }
                this.typed(variable);
            }
            this.word(")");
            this.within(variables, |this| this.spaced(body));
        });
    }

    fn within(&mut self, variables: &[Binding], body: impl FnOnce(&mut Self)) {
        let outer = self.inner.len();
        self.inner.extend(variables);
        body(self);
        self.inner.truncate(outer);
    }

    fn applied(&mut self, fluent: FluentId, args: &[Term]) {
        let model = self.model;
        self.list(&model.fluents[fluent.index()].name, |this| {
            this.each(args, Self::term);
        });
    }

    fn term(&mut self, term: &Term) {
        match term {
            Term::Variable(variable) if self.inner.contains(variable) => self.variable(*variable),
            Term::Variable(_) | Term::Object(_) => self.hole(term.clone()),
            Term::Fluent(fluent, args) => self.applied(*fluent, args),
            Term::Undefined => self.word("undefined"),
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Constant(value) => self.word(&value.to_string()),
            Expr::Fluent(fluent, args) => self.applied(*fluent, args),
            Expr::Add(exprs) => self.list("+", |this| this.each(exprs, Self::expr)),
            Expr::Subtract(left, right) => self.list("-", |this| {
                this.spaced(|this| this.expr(left));
                this.spaced(|this| this.expr(right));
            }),
            Expr::Multiply(exprs) => self.list("*", |this| this.each(exprs, Self::expr)),
            Expr::Abs(expr) => self.list("abs", |this| this.spaced(|this| this.expr(expr))),
            Expr::Min(exprs) => self.list("min", |this| this.each(exprs, Self::expr)),
            Expr::Max(exprs) => self.list("max", |this| this.each(exprs, Self::expr)),
            Expr::Count(variables, body) => {
                self.quantified("count", variables, |this| this.cond(body));
            }
        }
    }

    fn cond(&mut self, cond: &Cond) {
        match cond {
            Cond::True => self.word("(and)"),
            Cond::False => self.word("(or)"),
            Cond::Atom(fluent, args) => self.applied(*fluent, args),
            Cond::Same(left, right) => self.list("=", |this| {
                this.spaced(|this| this.term(left));
                this.spaced(|this| this.term(right));
            }),
            Cond::Compare(comparison, left, right) => {
                let symbol = match comparison {
                    Comparison::Equal => "=",
                    Comparison::Less => "<",
                    Comparison::LessOrEqual => "<=",
                    Comparison::Greater => ">",
                    Comparison::GreaterOrEqual => ">=",
                };
                self.list(symbol, |this| {
                    this.spaced(|this| this.expr(left));
                    this.spaced(|this| this.expr(right));
                });
            }
            Cond::Not(cond) => self.list("not", |this| this.spaced(|this| this.cond(cond))),
            Cond::And(conds) => self.list("and", |this| this.each(conds, Self::cond)),
            Cond::Or(conds) => self.list("or", |this| this.each(conds, Self::cond)),
            Cond::Forall(variables, body) => {
                self.quantified("forall", variables, |this| this.cond(body));
            }
            Cond::Exists(variables, body) => {
                self.quantified("exists", variables, |this| this.cond(body));
            }
        }
    }

    fn effect(&mut self, effect: &Effect) {
        match effect {
            Effect::And(effects) => self.list("and", |this| this.each(effects, Self::effect)),
            Effect::Seq(effects) => self.list("seq", |this| this.each(effects, Self::effect)),
            Effect::Forall(variables, body) => {
                self.quantified("forall", variables, |this| this.effect(body));
            }
            Effect::ForEach(variables, key, body) => {
                self.quantified("for-each", variables, |this| {
                    if let Some(key) = key {
                        this.word(":by ");
                        this.expr(key);
                        this.word(" ");
                    }
                    this.effect(body);
                });
            }
            Effect::When(cond, body) => self.list("when", |this| {
                this.spaced(|this| this.cond(cond));
                this.spaced(|this| this.effect(body));
            }),
            Effect::Case(cases, otherwise) => self.list("case", |this| {
                for (cond, body) in cases {
                    this.word(" (");
                    this.cond(cond);
                    this.spaced(|this| this.effect(body));
                    this.word(")");
                }
                this.word(" (else ");
                this.effect(otherwise);
                this.word(")");
            }),
            Effect::Let(variable, choice, body, otherwise) => self.list("let", |this| {
                this.word(" ((");
                this.variable(*variable);
                this.spaced(|this| this.choice(*variable, choice));
                this.word("))");
                this.within(&[*variable], |this| this.spaced(|this| this.effect(body)));
                this.word(" :else ");
                this.effect(otherwise);
            }),
            Effect::Set(fluent, args, true) => self.applied(*fluent, args),
            Effect::Set(fluent, args, false) => self.list("not", |this| {
                this.spaced(|this| this.applied(*fluent, args));
            }),
            Effect::Assign(fluent, args, value) => self.list("assign", |this| {
                this.spaced(|this| this.applied(*fluent, args));
                this.spaced(|this| this.term(value));
            }),
            Effect::Update(op, fluent, args, value) => {
                let word = match op {
                    AssignOp::Assign => "assign",
                    AssignOp::Increase => "increase",
                    AssignOp::Decrease => "decrease",
                    AssignOp::ScaleUp => "scale-up",
                    AssignOp::ScaleDown => "scale-down",
                };
                self.list(word, |this| {
                    this.spaced(|this| this.applied(*fluent, args));
                    this.spaced(|this| this.expr(value));
                });
            }
            Effect::Cost(cost) => self.list("increase (total-cost)", |this| {
                this.spaced(|this| this.expr(cost));
            }),
            Effect::Total(fluent, args, amount) => self.list("increase", |this| {
                this.spaced(|this| this.applied(*fluent, args));
                this.spaced(|this| this.expr(amount));
            }),
            Effect::After(ticks, guard, body) => self.list("after", |this| {
                this.spaced(|this| this.expr(ticks));
                match guard {
                    None => {}
                    Some(DelayGuard::While(cond)) => {
                        this.word(" :while ");
                        this.cond(cond);
                    }
                    Some(DelayGuard::Until(cond)) => {
                        this.word(" :until ");
                        this.cond(cond);
                    }
                }
                this.spaced(|this| this.effect(body));
            }),
            Effect::OnNth(count, body) => self.list("on-nth", |this| {
                this.spaced(|this| this.expr(count));
                this.spaced(|this| this.effect(body));
            }),
            Effect::Maintain(cond, kept, body) => self.list("maintain", |this| {
                this.spaced(|this| this.cond(cond));
                this.spaced(|this| this.effect(kept));
                this.each(body, Self::effect);
            }),
            Effect::Log(template) => self.list("log", |this| {
                this.spaced(|this| this.template(template));
            }),
            Effect::Do(action, args) => {
                let model = self.model;
                self.list("do", |this| {
                    this.word(" (");
                    this.word(&model.actions[action.index()].name);
                    this.each(args, Self::term);
                    this.word(")");
                });
            }
        }
    }

    fn choice(&mut self, variable: Binding, choice: &Choice) {
        match choice {
            Choice::Term(term) => self.term(term),
            Choice::Arg {
                maximize,
                among,
                value,
                ties,
            } => {
                let word = if *maximize { "argmax" } else { "argmin" };
                self.quantified(word, &[variable], |this| {
                    this.cond(among);
                    this.spaced(|this| this.expr(value));
                    if let Some(ties) = ties {
                        this.word(" :ties ");
                        this.expr(ties);
                    }
                });
            }
        }
    }

    /// A text in quotes, its own control characters escaped.
    fn template(&mut self, template: &Template) {
        self.word("\"");
        for part in &template.0 {
            match part {
                TemplatePart::Text(text) => {
                    let escaped = text.escape_debug().to_string();
                    self.word(&escaped.replace('{', "{{").replace('}', "}}"));
                }
                TemplatePart::Object(term) => {
                    self.word("{");
                    self.term(term);
                    self.word("}");
                }
                TemplatePart::Number(expr) => {
                    self.word("{");
                    self.expr(expr);
                    self.word("}");
                }
            }
        }
        self.word("\"");
    }
}
