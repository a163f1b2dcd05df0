//! Walks over the AST: [`Visit`] has a method for each kind of node, which by default goes on to the
//! node's parts with the function `walk_…` of that kind.
//!
//! A walk overrides the methods of what it is about. Where it wants the parts too it calls the function;
//! where it does not, it leaves them out. Parts are met in the order in which they are usually written.

use super::ast::{
    Action, DelayGuard, Derived, Domain, Drawn, Effect, Event, FluentDecl, FluentText, Formula,
    InitItem, LabelClause, LayoutItem, Name, Problem, Stream, Template, TemplatePart, Term,
    TypeExpr, Typed,
};
use brigade_diagnostics::span::Span;

/// A walk over a domain, a problem or a part of one that lives as long as `'a`.
pub trait Visit<'a>: Sized {
    /// A domain file.
    fn visit_domain(&mut self, domain: &'a Domain) {
        walk_domain(self, domain);
    }

    /// A problem file.
    fn visit_problem(&mut self, problem: &'a Problem) {
        walk_problem(self, problem);
    }

    /// A stream file.
    fn visit_stream(&mut self, stream: &'a Stream) {
        walk_stream(self, stream);
    }

    /// A predicate or function where it is declared.
    fn visit_fluent(&mut self, fluent: &'a FluentDecl) {
        walk_fluent(self, fluent);
    }

    /// A fact in words.
    fn visit_fluent_text(&mut self, text: &'a FluentText) {
        self.visit_template(&text.text);
    }

    /// An action, durative action or option.
    fn visit_action(&mut self, action: &'a Action) {
        walk_action(self, action);
    }

    /// An event.
    fn visit_event(&mut self, event: &'a Event) {
        walk_event(self, event);
    }

    /// A rule for a derived predicate.
    fn visit_derived(&mut self, rule: &'a Derived) {
        walk_derived(self, rule);
    }

    /// An initial fact.
    fn visit_init_item(&mut self, item: &'a InitItem) {
        walk_init_item(self, item);
    }

    /// An item of a layout. No other walk goes there, for a layout is no part of what a file means.
    fn visit_layout_item(&mut self, item: &'a LayoutItem) {
        walk_layout_item(self, item);
    }

    /// A type, constant or object where it is declared.
    fn visit_declared(&mut self, typed: &'a Typed) {
        self.visit_typed(typed);
    }

    /// An entry of a typed list.
    fn visit_typed(&mut self, typed: &'a Typed) {
        if let Some(ty) = &typed.ty {
            self.visit_type(ty);
        }
    }

    /// A type where it is used.
    fn visit_type(&mut self, _ty: &'a TypeExpr) {}

    /// Variables, and with `inside` what may use them: that stands within `scope`.
    fn visit_scope(
        &mut self,
        variables: &'a [Typed],
        _scope: Span,
        inside: impl FnOnce(&mut Self),
    ) {
        for typed in variables {
            self.visit_typed(typed);
        }
        inside(self);
    }

    /// Variables that stand for terms, and with `inside` what may use them, within `scope`.
    fn visit_lets(
        &mut self,
        lets: &'a [(Name, Term)],
        _scope: Span,
        inside: impl FnOnce(&mut Self),
    ) {
        for (_, term) in lets {
            self.visit_term(term);
        }
        inside(self);
    }

    /// The label of an action.
    fn visit_label(&mut self, label: &'a Template) {
        self.visit_template(label);
    }

    /// A text with slots.
    fn visit_template(&mut self, template: &'a Template) {
        for part in &template.parts {
            if let TemplatePart::Slot(term) = part {
                self.visit_term(term);
            }
        }
    }

    /// A term.
    fn visit_term(&mut self, term: &'a Term) {
        walk_term(self, term);
    }

    /// A condition.
    fn visit_formula(&mut self, formula: &'a Formula) {
        walk_formula(self, formula);
    }

    /// An effect.
    fn visit_effect(&mut self, effect: &'a Effect) {
        walk_effect(self, effect);
    }
}

/// Visits terms.
pub fn terms<'a, V: Visit<'a>>(visit: &mut V, terms: impl IntoIterator<Item = &'a Term>) {
    terms.into_iter().for_each(|term| visit.visit_term(term));
}

/// Visits conditions.
pub fn formulas<'a, V: Visit<'a>>(visit: &mut V, formulas: impl IntoIterator<Item = &'a Formula>) {
    let formulas = formulas.into_iter();
    formulas.for_each(|formula| visit.visit_formula(formula));
}

/// Visits effects.
pub fn effects<'a, V: Visit<'a>>(visit: &mut V, effects: impl IntoIterator<Item = &'a Effect>) {
    let effects = effects.into_iter();
    effects.for_each(|effect| visit.visit_effect(effect));
}

/// Visits all parts of a domain.
pub fn walk_domain<'a, V: Visit<'a>>(visit: &mut V, domain: &'a Domain) {
    for typed in domain.types.iter().chain(&domain.constants) {
        visit.visit_declared(typed);
    }
    for fluent in &domain.fluents {
        visit.visit_fluent(fluent);
    }
    for block in &domain.private_fluents {
        for ty in block.agent.iter().filter_map(|agent| agent.ty.as_ref()) {
            visit.visit_type(ty);
        }
    }
    for action in &domain.actions {
        visit.visit_action(action);
    }
    for event in &domain.events {
        visit.visit_event(event);
    }
    for rule in &domain.derived {
        visit.visit_derived(rule);
    }
    for item in &domain.facts {
        visit.visit_init_item(item);
    }
    formulas(visit, domain.fail.iter().chain(&domain.end));
}

/// Visits all parts of a problem.
pub fn walk_problem<'a, V: Visit<'a>>(visit: &mut V, problem: &'a Problem) {
    for typed in &problem.objects {
        visit.visit_declared(typed);
    }
    for item in &problem.init {
        visit.visit_init_item(item);
    }
    formulas(visit, &problem.goal);
    if let Some(text) = &problem.goal_text {
        visit.visit_template(text);
    }
    terms(visit, problem.metric.iter().map(|metric| &metric.value));
    formulas(visit, problem.fail.iter().chain(&problem.end));
}

/// Visits all parts of a stream.
pub fn walk_stream<'a, V: Visit<'a>>(visit: &mut V, stream: &'a Stream) {
    for typed in &stream.objects {
        visit.visit_declared(typed);
    }
    for item in &stream.init {
        visit.visit_init_item(item);
    }
}

/// Visits the parts of a declaration.
pub fn walk_fluent<'a, V: Visit<'a>>(visit: &mut V, fluent: &'a FluentDecl) {
    if let Some(range) = &fluent.range {
        visit.visit_type(range);
    }
    visit.visit_scope(&fluent.params, fluent.span, |visit| {
        for text in &fluent.texts {
            visit.visit_fluent_text(text);
        }
        if let Some(observers) = &fluent.observers {
            let viewer = std::slice::from_ref(&observers.viewer);
            let scope = observers.span.to(fluent.span);
            visit.visit_scope(viewer, scope, |visit| {
                visit.visit_formula(&observers.condition);
            });
        }
    });
}

/// Visits the parts of an action.
pub fn walk_action<'a, V: Visit<'a>>(visit: &mut V, action: &'a Action) {
    let span = action.span;
    visit.visit_scope(action.agent.as_slice(), span, |visit| {
        visit.visit_scope(&action.parameters, span, |visit| {
            formulas(visit, &action.precondition);
            formulas(visit, action.conditions.iter().map(|(_, formula)| formula));
            terms(visit, &action.duration);
            terms(visit, &action.weight);
            visit.visit_lets(&action.lets, span, |visit| {
                effects(visit, &action.effect);
                effects(visit, action.effects.iter().map(|(_, effect)| effect));
                formulas(visit, &action.until);
                effects(visit, &action.otherwise);
            });
            if let Some(LabelClause::Text(label)) = &action.label {
                visit.visit_label(label);
            }
            if let Some(text) = &action.text {
                visit.visit_template(text);
            }
            if let Some(observers) = &action.observers {
                let viewer = std::slice::from_ref(&observers.viewer);
                visit.visit_scope(viewer, observers.span.to(span), |visit| {
                    visit.visit_formula(&observers.condition);
                });
            }
        });
    });
}

/// Visits the parts of an event.
pub fn walk_event<'a, V: Visit<'a>>(visit: &mut V, event: &'a Event) {
    visit.visit_scope(&event.parameters, event.span, |visit| {
        formulas(visit, &event.precondition);
        effects(visit, &event.effect);
    });
}

/// Visits the parts of a rule.
pub fn walk_derived<'a, V: Visit<'a>>(visit: &mut V, rule: &'a Derived) {
    visit.visit_scope(&rule.params, rule.span, |visit| {
        visit.visit_formula(&rule.body);
    });
}

/// Visits the terms of an initial fact, or the fact that comes true at a time.
pub fn walk_init_item<'a, V: Visit<'a>>(visit: &mut V, item: &'a InitItem) {
    match item {
        InitItem::Atom(_, args, _) | InitItem::NotAtom(_, args, _) => terms(visit, args),
        InitItem::Value(left, right, _) => terms(visit, [left, right]),
        InitItem::Timed(_, item, _) => visit.visit_init_item(item),
    }
}

/// Visits the parts of an item of a layout, but for the object of a cell.
pub fn walk_layout_item<'a, V: Visit<'a>>(visit: &mut V, item: &'a LayoutItem) {
    match item {
        LayoutItem::Rows(..) | LayoutItem::Cell(_) => {}
        LayoutItem::Draw(drawing) | LayoutItem::Face(drawing) => {
            visit.visit_scope(&drawing.variables, drawing.span, |visit| {
                match &drawing.thing {
                    Drawn::Object(term) => visit.visit_term(term),
                    Drawn::Text(text) => visit.visit_template(text),
                }
                visit.visit_term(&drawing.at);
                terms(visit, &drawing.column);
                formulas(visit, &drawing.fact);
            });
        }
    }
}

/// Visits the parts of a term.
pub fn walk_term<'a, V: Visit<'a>>(visit: &mut V, term: &'a Term) {
    match term {
        Term::Name(_) | Term::Variable(_) | Term::Number(..) => {}
        Term::Apply(term) => terms(visit, &term.args),
        Term::Arithmetic(_, operands, _) => terms(visit, operands),
        Term::Count(term) => {
            visit.visit_scope(&term.variables, term.span, |visit| {
                visit.visit_formula(&term.among);
            });
        }
        Term::Arg(arg) => {
            let variable = std::slice::from_ref(&arg.variable);
            visit.visit_scope(variable, arg.span, |visit| {
                visit.visit_formula(&arg.among);
                visit.visit_term(&arg.value);
                terms(visit, &arg.ties);
            });
        }
    }
}

/// Visits the parts of a condition.
pub fn walk_formula<'a, V: Visit<'a>>(visit: &mut V, formula: &'a Formula) {
    match formula {
        Formula::And(all, _) | Formula::Or(all, _) => formulas(visit, all),
        Formula::Not(one, _) => visit.visit_formula(one),
        Formula::Imply(left, right, _) => {
            visit.visit_formula(left);
            visit.visit_formula(right);
        }
        Formula::Forall(variables, one, span) | Formula::Exists(variables, one, span) => {
            visit.visit_scope(variables, *span, |visit| visit.visit_formula(one));
        }
        Formula::Atom(_, args, _) => terms(visit, args),
        Formula::Compare(_, sides, _) => terms(visit, &**sides),
        Formula::Else(reason, one, _) => {
            visit.visit_template(reason);
            visit.visit_formula(one);
        }
        Formula::Semantics(..) | Formula::Error(_) => {}
    }
}

/// Visits the parts of an effect.
pub fn walk_effect<'a, V: Visit<'a>>(visit: &mut V, effect: &'a Effect) {
    match effect {
        Effect::And(all, _) | Effect::Seq(all, _) => effects(visit, all),
        Effect::Forall(variables, one, span) => {
            visit.visit_scope(variables, *span, |visit| visit.visit_effect(one));
        }
        Effect::ForEach(variables, key, one, span) => {
            visit.visit_scope(variables, *span, |visit| {
                terms(visit, key);
                visit.visit_effect(one);
            });
        }
        Effect::When(condition, one, _) => {
            visit.visit_formula(condition);
            visit.visit_effect(one);
        }
        Effect::Case(cases, otherwise, _) => {
            for (condition, one) in cases {
                visit.visit_formula(condition);
                visit.visit_effect(one);
            }
            effects(visit, otherwise.as_deref());
        }
        Effect::Let(lets, one, otherwise, _) => {
            visit.visit_lets(lets, one.span(), |visit| visit.visit_effect(one));
            effects(visit, otherwise.as_deref());
        }
        Effect::Add(_, args, _) | Effect::Delete(_, args, _) | Effect::Do(_, args, _) => {
            terms(visit, args);
        }
        Effect::Assign(_, target, value, _) => terms(visit, [target, value]),
        Effect::After(delay, guard, one, _) => {
            visit.visit_term(delay);
            if let Some(DelayGuard::While(condition) | DelayGuard::Until(condition)) = guard {
                visit.visit_formula(condition);
            }
            visit.visit_effect(one);
        }
        Effect::OnNth(count, one, _) => {
            visit.visit_term(count);
            visit.visit_effect(one);
        }
        Effect::Maintain(condition, kept, body, _) => {
            visit.visit_formula(condition);
            visit.visit_effect(kept);
            effects(visit, body);
        }
        Effect::Log(template, _) => visit.visit_template(template),
        Effect::Error(_) => {}
    }
}
