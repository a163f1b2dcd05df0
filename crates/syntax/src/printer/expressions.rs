//! Terms, conditions, effects and texts as documents.

use crate::ast::{
    Arithmetic, AssignOp, Comparison, DelayGuard, Effect, Formula, Name, Template, TemplatePart,
    Term, TypeExpr, Typed,
};
use crate::layout::{Doc, Layout};

/// `(head item …)`, one item under the other if it is broken.
pub(super) fn aligned(head: &str, items: impl IntoIterator<Item = Doc>) -> Doc {
    headed(head, items, Layout::Align)
}

pub(super) fn headed(head: &str, items: impl IntoIterator<Item = Doc>, layout: Layout) -> Doc {
    let items = std::iter::once(Doc::word(head)).chain(items);
    Doc::list(items.collect(), layout)
}

pub(super) fn keyword(text: &str) -> Doc {
    Doc::word(format!(":{text}"))
}

/// `:key value`, never parted.
pub(super) fn field(key: &str, value: Doc) -> Doc {
    Doc::row(vec![keyword(key), value], Layout::Inline)
}

/// Prints a name with its parameters on one line: `(on ?x - food ?p - place)`.
pub fn print_signature(name: &Name, params: &[Typed]) -> String {
    headed(&name.text, typed_groups(params, "?"), Layout::Fill).flat()
}

/// Prints a type on one line.
pub fn print_type(ty: &TypeExpr) -> String {
    match ty {
        TypeExpr::Named(name) => name.text.to_string(),
        TypeExpr::Either(names, _) => {
            let names: Vec<&str> = names.iter().map(|name| name.text.as_str()).collect();
            format!("(either {})", names.join(" "))
        }
        TypeExpr::Int { lo, hi, .. } => format!("(int {lo} {hi})"),
        TypeExpr::Number(_) => "number".to_owned(),
    }
}

/// The groups of equal type of a typed list, each a row; `mark` is `?` for variables.
pub(super) fn typed_groups(list: &[Typed], mark: &str) -> Vec<Doc> {
    let same = |a: &Typed, b: &Typed| match (&a.ty, &b.ty) {
        (Some(a), Some(b)) => print_type(a) == print_type(b),
        (None, None) => true,
        _ => false,
    };
    let groups = list.chunk_by(same).map(|group| {
        let mut words: Vec<Doc> = group
            .iter()
            .map(|typed| Doc::word(format!("{mark}{}", typed.name.text)))
            .collect();
        if let Some(ty) = &group[0].ty {
            words.push(Doc::word(format!("- {}", print_type(ty))));
        }
        Doc::row(words, Layout::Fill)
    });
    groups.collect()
}

pub(super) fn variables(list: &[Typed]) -> Doc {
    Doc::list(typed_groups(list, "?"), Layout::Fill)
}

fn number_text(thousandths: i64) -> String {
    let sign = if thousandths < 0 { "-" } else { "" };
    let (whole, rest) = (
        thousandths.unsigned_abs() / 1000,
        thousandths.unsigned_abs() % 1000,
    );
    if rest == 0 {
        return format!("{sign}{whole}");
    }
    let fraction = format!("{rest:03}");
    format!("{sign}{whole}.{}", fraction.trim_end_matches('0'))
}

pub(super) fn application(name: &Name, terms: &[Term]) -> Doc {
    headed(&name.text, terms.iter().map(term_doc), Layout::Align)
}

pub(super) fn term_doc(term: &Term) -> Doc {
    match term {
        Term::Name(name) => Doc::word(&*name.text),
        Term::Variable(name) => Doc::word(format!("?{}", name.text)),
        Term::Number(thousandths, _) => Doc::word(number_text(*thousandths)),
        Term::Apply(term) => application(&term.name, &term.args),
        Term::Arithmetic(operator, terms, _) => {
            aligned(arithmetic_word(*operator), terms.iter().map(term_doc))
        }
        Term::Count(term) => headed(
            "count",
            [variables(&term.variables), formula_doc(&term.among)],
            Layout::Body(2),
        ),
        Term::Arg(arg) => {
            let head = if arg.maximize { "argmax" } else { "argmin" };
            let mut items = vec![
                variables(std::slice::from_ref(&arg.variable)),
                formula_doc(&arg.among),
                term_doc(&arg.value),
            ];
            items.extend(arg.ties.as_ref().map(|ties| field("ties", term_doc(ties))));
            headed(head, items, Layout::Body(2))
        }
    }
}

const fn arithmetic_word(operator: Arithmetic) -> &'static str {
    match operator {
        Arithmetic::Add => "+",
        Arithmetic::Subtract => "-",
        Arithmetic::Multiply => "*",
        Arithmetic::Divide => "/",
        Arithmetic::Abs => "abs",
        Arithmetic::Min => "min",
        Arithmetic::Max => "max",
    }
}

const fn comparison_word(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Equal => "=",
        Comparison::Less => "<",
        Comparison::LessOrEqual => "<=",
        Comparison::Greater => ">",
        Comparison::GreaterOrEqual => ">=",
    }
}

pub(super) fn formula_doc(formula: &Formula) -> Doc {
    match formula {
        Formula::And(parts, _) => aligned("and", parts.iter().map(formula_doc)),
        Formula::Or(parts, _) => aligned("or", parts.iter().map(formula_doc)),
        Formula::Not(body, _) => aligned("not", [formula_doc(body)]),
        Formula::Imply(left, right, _) => aligned("imply", [formula_doc(left), formula_doc(right)]),
        Formula::Forall(list, body, _) => quantified("forall", list, formula_doc(body)),
        Formula::Exists(list, body, _) => quantified("exists", list, formula_doc(body)),
        Formula::Atom(name, terms, _) => application(name, terms),
        Formula::Compare(comparison, sides, _) => {
            aligned(comparison_word(*comparison), sides.iter().map(term_doc))
        }
        Formula::Else(reason, body, _) => headed(
            "else",
            [template_doc(reason), formula_doc(body)],
            Layout::Body(2),
        ),
        Formula::Semantics(name, _) => aligned("semantics", [Doc::word(&*name.text)]),
        Formula::Error(_) => Doc::word("()"),
    }
}

fn quantified(head: &str, list: &[Typed], body: Doc) -> Doc {
    headed(head, [variables(list), body], Layout::Body(2))
}

const fn assign_word(op: AssignOp) -> &'static str {
    match op {
        AssignOp::Assign => "assign",
        AssignOp::Increase => "increase",
        AssignOp::Decrease => "decrease",
        AssignOp::ScaleUp => "scale-up",
        AssignOp::ScaleDown => "scale-down",
    }
}

pub(super) fn effect_doc(effect: &Effect) -> Doc {
    match effect {
        Effect::And(parts, _) => aligned("and", parts.iter().map(effect_doc)),
        Effect::Seq(parts, _) => aligned("seq", parts.iter().map(effect_doc)),
        Effect::Forall(list, body, _) => quantified("forall", list, effect_doc(body)),
        Effect::ForEach(list, key, body, _) => {
            let mut items = vec![variables(list)];
            items.extend(key.as_ref().map(|key| field("by", term_doc(key))));
            let first = items.len() + 1;
            items.push(effect_doc(body));
            headed("for-each", items, Layout::Body(first))
        }
        Effect::When(condition, body, _) => headed(
            "when",
            [formula_doc(condition), effect_doc(body)],
            Layout::Body(2),
        ),
        Effect::Case(branches, otherwise, _) => {
            let branch = |condition, effect| Doc::list(vec![condition, effect], Layout::Body(1));
            let branches = branches
                .iter()
                .map(|(condition, effect)| branch(formula_doc(condition), effect_doc(effect)));
            let otherwise = otherwise
                .iter()
                .map(|effect| branch(Doc::word("else"), effect_doc(effect)));
            headed("case", branches.chain(otherwise), Layout::Body(1))
        }
        Effect::Let(bindings, body, otherwise, _) => {
            let mut items = vec![bindings_doc(bindings), effect_doc(body)];
            items.extend(otherwise.iter().map(|e| field("else", effect_doc(e))));
            headed("let", items, Layout::Body(2))
        }
        Effect::Add(name, terms, _) => application(name, terms),
        Effect::Delete(name, terms, _) => aligned("not", [application(name, terms)]),
        Effect::Assign(op, target, value, _) => {
            aligned(assign_word(*op), [term_doc(target), term_doc(value)])
        }
        Effect::After(delay, guard, body, _) => {
            let mut items = vec![term_doc(delay)];
            items.extend(guard.iter().map(|guard| match guard {
                DelayGuard::While(formula) => field("while", formula_doc(formula)),
                DelayGuard::Until(formula) => field("until", formula_doc(formula)),
            }));
            let first = items.len() + 1;
            items.push(effect_doc(body));
            headed("after", items, Layout::Body(first))
        }
        Effect::OnNth(number, body, _) => headed(
            "on-nth",
            [term_doc(number), effect_doc(body)],
            Layout::Body(2),
        ),
        Effect::Maintain(condition, effect, body, _) => {
            let head = [formula_doc(condition), effect_doc(effect)];
            let items = head.into_iter().chain(body.iter().map(effect_doc));
            headed("maintain", items, Layout::Body(3))
        }
        Effect::Log(template, _) => aligned("log", [template_doc(template)]),
        Effect::Do(name, terms, _) => aligned("do", [application(name, terms)]),
        Effect::Error(_) => Doc::word("()"),
    }
}

pub(super) fn bindings_doc(bindings: &[(Name, Term)]) -> Doc {
    let bindings = bindings.iter().map(|(name, term)| {
        let variable = Doc::word(format!("?{}", name.text));
        Doc::list(vec![variable, term_doc(term)], Layout::Inline)
    });
    // The first item is a list, so that all of them are aligned with it.
    Doc::list(bindings.collect(), Layout::Align)
}

pub(super) fn template_doc(template: &Template) -> Doc {
    let mut text = "\"".to_owned();
    for part in &template.parts {
        match part {
            TemplatePart::Text(literal) => {
                for c in literal.chars() {
                    match c {
                        '"' => text.push_str("\\\""),
                        '\\' => text.push_str("\\\\"),
                        '\n' => text.push_str("\\n"),
                        '\t' => text.push_str("\\t"),
                        '{' => text.push_str("{{"),
                        '}' => text.push_str("}}"),
                        _ => text.push(c),
                    }
                }
            }
            TemplatePart::Slot(term) => {
                text.push('{');
                text.push_str(&term_doc(term).flat());
                text.push('}');
            }
        }
    }
    text.push('"');
    Doc::word(text)
}
