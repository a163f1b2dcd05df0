//! Random terms, numbers and conditions.

use super::random::Random;
use super::words::{FLUENTS, Fluent, Kind, Range, TYPES, objects, overlap};

/// A variable in scope: its name and its type.
pub(super) type Bound = (String, &'static str);

/// A primitive action: its parameters, and what it may not be performed in.
#[derive(Clone, Debug)]
pub(super) struct Primitive {
    pub(super) name: &'static str,
    pub(super) params: &'static [&'static str],
    pub(super) logs: bool,
    pub(super) delays: bool,
}

/// Writes one domain.
#[expect(
    clippy::struct_excessive_bools,
    reason = "what may stand where the writer is"
)]
pub(super) struct Writer {
    pub(super) random: Random,
    /// The number of levels to which the effect or condition may still be nested.
    pub(super) fuel: usize,
    names: usize,
    /// The part of [`FLUENTS`] that this domain has.
    fluents: Vec<Fluent>,
    /// The part of [`TYPES`] that variables have.
    types: Vec<&'static str>,
    pub(super) primitives: Vec<Primitive>,
    /// Derived fluents of this level and above cannot be read here.
    pub(super) level: usize,
    pub(super) may_log: bool,
    pub(super) may_delay: bool,
    /// True if something logs, or delays, since this was reset.
    pub(super) logged: bool,
    pub(super) delayed: bool,
}

impl Writer {
    pub(super) fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let rich = 20 + random.below(75);
        let fluents = FLUENTS.iter().filter(|fluent| {
            let needed = ["p", "can", "level", "where"].contains(&fluent.name);
            needed || random.chance(rich)
        });
        let fluents = fluents.copied().collect();
        let many = random.chance(50);
        let types = TYPES
            .iter()
            .map(|(ty, _)| *ty)
            .take(if many { 6 } else { 3 });
        Self {
            random,
            fuel: 0,
            names: 0,
            fluents,
            types: types.collect(),
            primitives: Vec::new(),
            level: usize::MAX,
            may_log: true,
            may_delay: true,
            logged: false,
            delayed: false,
        }
    }

    pub(super) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.random.below(from.len())]
    }

    /// The fluents of this domain that fit.
    pub(super) fn fluents(&self, fits: impl Fn(&Fluent) -> bool) -> Vec<Fluent> {
        let readable = |fluent: &&Fluent| match fluent.kind {
            Kind::Derived(level) => level < self.level,
            Kind::Basic | Kind::Transient | Kind::Static => true,
        };
        let found = self.fluents.iter().filter(readable);
        found.filter(|fluent| fits(fluent)).copied().collect()
    }

    pub(super) fn constant(&mut self, ty: &str) -> &'static str {
        self.pick(objects(ty))
    }

    pub(super) fn ty(&mut self) -> &'static str {
        let types = self.types.clone();
        self.pick(&types)
    }

    /// A term of a type, or of one that has objects in common with it.
    pub(super) fn term(&mut self, ty: &str, scope: &[Bound]) -> String {
        let loose = self.random.chance(15);
        let fits = |other: &str| other == ty || (loose && overlap(other, ty));
        let bound: Vec<&Bound> = scope.iter().filter(|(_, other)| fits(other)).collect();
        if !bound.is_empty() && self.random.chance(70) {
            return format!("?{}", bound[self.random.below(bound.len())].0);
        }
        let pointers = self.fluents(|fluent| matches!(fluent.range, Range::Object(to) if fits(to)));
        if !pointers.is_empty() && self.fuel > 0 && self.random.chance(40) {
            self.fuel -= 1;
            let pointer = self.pick(&pointers);
            return self.applied(&pointer, scope);
        }
        self.constant(ty).to_owned()
    }

    pub(super) fn applied(&mut self, fluent: &Fluent, scope: &[Bound]) -> String {
        let mut text = format!("({}", fluent.name);
        for ty in fluent.params {
            text.push(' ');
            text.push_str(&self.term(ty, scope));
        }
        text.push(')');
        text
    }

    /// A number that is known before the first step.
    pub(super) fn static_number(&mut self, scope: &[Bound]) -> String {
        let spans = self.fluents(|fluent| fluent.name == "span");
        let fitting: Vec<String> = scope
            .iter()
            .filter(|(_, ty)| overlap(ty, "thing"))
            .map(|(name, _)| name.clone())
            .collect();
        if spans.is_empty() || fitting.is_empty() || self.random.chance(60) {
            return (1 + self.random.below(3)).to_string();
        }
        let at = self.random.below(fitting.len());
        format!("(+ 1 (span ?{}))", fitting[at])
    }

    pub(super) fn number(&mut self, scope: &[Bound]) -> String {
        let numbers = self.fluents(|fluent| matches!(fluent.range, Range::Integer(..)));
        match self.random.below(9) {
            0 => self.random.below(4).to_string(),
            1 => self.pick(&["-1", "-9", "7"]).to_owned(),
            2..5 => {
                let number = self.pick(&numbers);
                self.applied(&number, scope)
            }
            5 | 6 if self.fuel > 0 => {
                self.fuel -= 1;
                let symbol = self.pick(&["+", "-", "*", "min", "max", "+", "-"]);
                let (left, right) = (self.number(scope), self.number(scope));
                if symbol != "-" && self.random.chance(30) {
                    return format!("({symbol} {left} {right} {})", self.number(scope));
                }
                format!("({symbol} {left} {right})")
            }
            7 if self.fuel > 0 => {
                self.fuel -= 1;
                let (list, inner) = self.quantifier(scope);
                let body = self.cond(&inner);
                format!("(count ({list}) {body})")
            }
            _ => {
                let number = self.pick(&numbers);
                let difference = self.random.below(3);
                format!("(abs (- {} {difference}))", self.applied(&number, scope))
            }
        }
    }

    /// A number that is not negative.
    pub(super) fn cost(&mut self, scope: &[Bound]) -> String {
        if self.random.chance(50) {
            return self.random.below(3).to_string();
        }
        format!("(abs {})", self.number(scope))
    }

    /// A new variable: its declaration, and the scope with it.
    pub(super) fn variable(&mut self, scope: &[Bound]) -> (String, Vec<Bound>) {
        let ty = self.ty();
        self.names += 1;
        let name = format!("q{}", self.names);
        let mut inner = scope.to_vec();
        inner.push((name.clone(), ty));
        (format!("?{name} - {ty}"), inner)
    }

    /// A list of one new variable or two, and the scope with them.
    pub(super) fn quantifier(&mut self, scope: &[Bound]) -> (String, Vec<Bound>) {
        let (list, inner) = self.variable(scope);
        if self.random.chance(80) {
            return (list, inner);
        }
        let (more, inner) = self.variable(&inner);
        (format!("{list} {more}"), inner)
    }

    pub(super) fn atom(&mut self, scope: &[Bound]) -> String {
        let predicates = self.fluents(|fluent| fluent.range == Range::Truth);
        let predicate = self.pick(&predicates);
        self.applied(&predicate, scope)
    }

    pub(super) fn cond(&mut self, scope: &[Bound]) -> String {
        let shape = self.random.below(13);
        if self.fuel == 0 || shape < 4 {
            return self.atom(scope);
        }
        self.fuel -= 1;
        match shape {
            4 => format!("(not {})", self.cond(scope)),
            5 => format!("(and {} {})", self.cond(scope), self.cond(scope)),
            6 => format!("(or {} {})", self.cond(scope), self.cond(scope)),
            7 => {
                let word = self.pick(&["forall", "exists"]);
                let (list, inner) = self.quantifier(scope);
                format!("({word} ({list}) {})", self.cond(&inner))
            }
            8 | 9 => {
                let pointers = self.fluents(|one| matches!(one.range, Range::Object(_)));
                let pointer = self.pick(&pointers);
                let Range::Object(range) = pointer.range else {
                    return self.atom(scope);
                };
                let left = self.applied(&pointer, scope);
                let right = match self.random.below(10) {
                    0..3 => "undefined".to_owned(),
                    _ => self.term(range, scope),
                };
                format!("(= {left} {right})")
            }
            10 => {
                let ty = self.ty();
                let (left, right) = (self.term(ty, scope), self.term(ty, scope));
                format!("(not (= {left} {right}))")
            }
            11 => format!("(imply {} {})", self.cond(scope), self.cond(scope)),
            _ => {
                let symbol = self.pick(&["=", "<", "<=", ">", ">="]);
                let (left, right) = (self.number(scope), self.number(scope));
                match self.random.below(6) {
                    0 => format!("({symbol} (/ {left} 2) {right})"),
                    1 => format!("({symbol} {left} (- {right}))"),
                    _ => format!("({symbol} {left} {right})"),
                }
            }
        }
    }
}
