//! Random effects.

use super::words::{Kind, Range};
use super::writer::{Bound, Writer};

impl Writer {
    /// A change of one fluent.
    pub(super) fn change(&mut self, scope: &[Bound]) -> String {
        let changeable = |kind: Kind| matches!(kind, Kind::Basic | Kind::Transient);
        let fluents = self.fluents(|fluent| changeable(fluent.kind));
        let fluent = self.pick(&fluents);
        let target = self.applied(&fluent, scope);
        match fluent.range {
            Range::Truth if self.random.chance(50) => format!("(not {target})"),
            Range::Truth => target,
            Range::Object(ty) => {
                let value = if self.random.chance(25) {
                    "undefined".to_owned()
                } else {
                    self.term(ty, scope)
                };
                format!("(assign {target} {value})")
            }
            Range::Integer(..) => {
                let op = self.pick(&["assign", "increase", "decrease", "increase", "scale-up"]);
                let amount = match self.random.below(10) {
                    0 => self.pick(&["999999999991", "-999999999991"]).to_owned(),
                    _ => self.number(scope),
                };
                format!("({op} {target} {amount})")
            }
        }
    }

    pub(super) fn effect(&mut self, scope: &[Bound]) -> String {
        let shape = self.random.below(25);
        if self.fuel == 0 || shape < 5 {
            return self.change(scope);
        }
        self.fuel -= 1;
        match shape {
            5..9 => format!("(and {} {})", self.effect(scope), self.effect(scope)),
            9 => {
                let (one, two) = (self.effect(scope), self.effect(scope));
                format!("(and {one} {two} {})", self.effect(scope))
            }
            10 => format!("(seq {} {})", self.effect(scope), self.effect(scope)),
            11 => {
                let (list, inner) = self.quantifier(scope);
                format!("(forall ({list}) {})", self.effect(&inner))
            }
            12 => {
                let (list, inner) = self.quantifier(scope);
                let key = if self.random.chance(50) {
                    format!(":by (- 0 {}) ", self.static_number(&inner))
                } else {
                    String::new()
                };
                format!("(for-each ({list}) {key}{})", self.effect(&inner))
            }
            13 => format!("(when {} {})", self.cond(scope), self.effect(scope)),
            14 => format!(
                "(case ({} {}) ({} {}) (else {}))",
                self.cond(scope),
                self.effect(scope),
                self.cond(scope),
                self.effect(scope),
                self.effect(scope)
            ),
            15 | 16 => {
                let (lets, inner) = self.lets(scope);
                let body = self.effect(&inner);
                if self.random.chance(30) {
                    return format!("(let ({lets}) {body})");
                }
                format!("(let ({lets}) {body} :else {})", self.effect(scope))
            }
            17 | 18 if self.may_delay => self.delayed(scope),
            19 => format!(
                "(on-nth {} {})",
                self.static_number(scope),
                self.effect(scope)
            ),
            20 if self.may_delay => self.maintain(scope),
            21 if self.may_log => {
                self.logged = true;
                let names: Vec<&Bound> = scope.iter().collect();
                if names.is_empty() || self.random.chance(50) {
                    return "(log \"note\")".to_owned();
                }
                let at = self.random.below(names.len());
                format!("(log \"note {{?{}}}\")", names[at].0)
            }
            22 | 23 => self.perform(scope),
            _ => {
                let name = self.pick(&["total-cost", "total-cost", "fuel"]);
                format!("(increase ({name}) {})", self.cost(scope))
            }
        }
    }

    fn delayed(&mut self, scope: &[Bound]) -> String {
        self.delayed = true;
        let ticks = self.static_number(scope);
        let guard = match self.random.below(4) {
            0 => format!(":while {} ", self.cond(scope)),
            1 => format!(":until {} ", self.cond(scope)),
            _ => String::new(),
        };
        format!("(after {ticks} {guard}{})", self.effect(scope))
    }

    /// A `maintain`: atoms that follow a condition, and parts that wait or do not.
    fn maintain(&mut self, scope: &[Bound]) -> String {
        self.delayed = true;
        let basic = |kind: Kind| matches!(kind, Kind::Basic | Kind::Transient);
        let kept = self.fluents(|one| one.range == Range::Truth && basic(one.kind));
        let kept = self.pick(&kept);
        let atom = match self.random.below(3) {
            0 => {
                let (list, inner) = self.quantifier(scope);
                format!("(forall ({list}) {})", self.applied(&kept, &inner))
            }
            1 => format!("(and {} (p))", self.applied(&kept, scope)),
            _ => self.applied(&kept, scope),
        };
        let mut text = format!("(maintain {} {atom}", self.cond(scope));
        for _ in 0..self.random.below(4) {
            let part = if self.random.chance(70) {
                let ticks = self.static_number(scope);
                format!("(after {ticks} {})", self.effect(scope))
            } else {
                self.may_delay = false;
                let part = self.effect(scope);
                self.may_delay = true;
                part
            };
            text.push_str(&format!(" {part}"));
        }
        text + ")"
    }

    fn perform(&mut self, scope: &[Bound]) -> String {
        let allowed = self.primitives.iter().filter(|primitive| {
            (self.may_log || !primitive.logs) && (self.may_delay || !primitive.delays)
        });
        let allowed: Vec<_> = allowed.cloned().collect();
        if allowed.is_empty() {
            return self.change(scope);
        }
        let primitive = &allowed[self.random.below(allowed.len())];
        self.logged |= primitive.logs;
        self.delayed |= primitive.delays;
        let args = primitive.params.iter().map(|ty| self.term(ty, scope));
        let args: Vec<String> = args.collect();
        format!("(do ({} {}))", primitive.name, args.join(" "))
    }

    /// The variables of a `let` with what they are bound to, and the scope inside.
    pub(super) fn lets(&mut self, scope: &[Bound]) -> (String, Vec<Bound>) {
        let (text, inner) = self.choice(scope);
        if self.random.chance(70) {
            return (text, inner);
        }
        let (more, inner) = self.choice(&inner);
        (format!("{text} {more}"), inner)
    }

    fn choice(&mut self, scope: &[Bound]) -> (String, Vec<Bound>) {
        let pointers = self.fluents(|one| matches!(one.range, Range::Object(_)));
        let (list, mut inner) = self.variable(scope);
        let name = inner[scope.len()].0.clone();
        if self.random.chance(30) {
            let pointer = self.pick(&pointers);
            if let Range::Object(ty) = pointer.range {
                inner[scope.len()].1 = ty;
                return (
                    format!("(?{name} {})", self.applied(&pointer, scope)),
                    inner,
                );
            }
        }
        let word = self.pick(&["argmin", "argmax"]);
        let among = self.cond(&inner);
        let value = self.number(&inner);
        let ties = if self.random.chance(50) {
            format!(" :ties {}", self.number(&inner))
        } else {
            String::new()
        };
        (
            format!("(?{name} ({word} ({list}) {among} {value}{ties}))"),
            inner,
        )
    }
}
