//! Notes arguments that fit and that do not, and reports the latter.

use std::collections::{BTreeMap, BTreeSet};

use super::{Misfit, Misfits};
use crate::sema::body::Body;
use crate::sema::model::{Binding, Term, TypeId};
use crate::sema::report::{Place, problem};
use crate::sema::symbols::OBJECT;
use crate::sema::terms::ObjectTerm;
use brigade_diagnostics::{Code, Diagnostic};

/// The most uses that a message shows.
const SHOWN: usize = 3;

impl Body<'_, '_> {
    /// Notes that an argument is of a type that is needed. What takes any object says nothing of it.
    pub(in super::super) fn note_fit(&mut self, given: &ObjectTerm, needed: &[TypeId]) {
        if needed == [OBJECT] {
            return;
        }
        let object = match given.term {
            Term::Object(object) => Some(object),
            Term::Variable(variable) if variable.index() < self.misfits.parameters => {
                self.misfits.fitting.insert(variable);
                None
            }
            _ => None,
        };
        self.cx.misdeclared.fits_as(object, &given.types, needed);
    }

    /// Reports arguments of other types than are needed, at the end if all are parameters.
    pub(in super::super) fn misfit(
        &mut self,
        given: &[(&ObjectTerm, &[TypeId])],
        diagnostic: Diagnostic,
    ) {
        let parameters = given.iter().map(|(given, needed)| match given.term {
            Term::Variable(variable) if variable.index() < self.misfits.parameters => {
                Some((variable, needed.to_vec()))
            }
            _ => None,
        });
        if let Some(parameters) = parameters.collect() {
            let held = &mut self.misfits.held;
            return held.push(Misfit {
                parameters,
                diagnostic,
            });
        }
        if let [(one, needed)] = given
            && let Term::Object(object) = one.term
            && let Some(place) = place_of(&diagnostic)
        {
            self.cx.object_misfits(object, needed, place);
        }
        self.push(diagnostic);
    }

    /// Reports what was held back: of a parameter that fits nowhere, its declaration.
    pub(in super::super) fn settle_misfits(&mut self) {
        let Misfits { held, fitting, .. } = std::mem::take(&mut self.misfits);
        let mut needed: BTreeMap<Binding, Vec<&[TypeId]>> = BTreeMap::new();
        for (parameter, types) in held.iter().flat_map(|misfit| &misfit.parameters) {
            needed.entry(*parameter).or_default().push(types);
        }
        needed.retain(|parameter, _| !fitting.contains(parameter));
        let declared = self.exchanged_types(&needed).map_or_else(
            || self.wrong_types(&needed),
            |diagnostic| vec![(needed.keys().copied().collect(), diagnostic)],
        );
        let mut explained: BTreeSet<Binding> = BTreeSet::new();
        for (parameters, mut diagnostic) in declared {
            let uses = held.iter().filter(|misfit| {
                let mut of = misfit.parameters.iter();
                of.any(|(parameter, _)| parameters.contains(parameter))
            });
            for place in uses
                .filter_map(|misfit| misfit.diagnostic.place())
                .take(SHOWN)
            {
                diagnostic = diagnostic.secondary(place.source, place.span, "");
            }
            if let [parameter] = Vec::from_iter(&parameters)[..] {
                let needed = held.iter().flat_map(|misfit| &misfit.parameters);
                let needed = needed.filter(|(of, _)| of == parameter);
                for (_, needed) in needed {
                    self.note_misfit(*parameter, needed, &diagnostic);
                }
            }
            self.push(diagnostic);
            explained.extend(parameters);
        }
        for misfit in held {
            let mut of = misfit.parameters.iter();
            if !of.any(|(parameter, _)| explained.contains(parameter)) {
                if let [(parameter, needed)] = &misfit.parameters[..] {
                    self.note_misfit(*parameter, needed, &misfit.diagnostic);
                }
                self.push(misfit.diagnostic);
            }
        }
    }

    fn note_misfit(&mut self, parameter: Binding, needed: &[TypeId], reported: &Diagnostic) {
        let declared = self.place(self.scope.span(parameter));
        if let Some(place) = place_of(reported) {
            let types = self.scope.types(parameter);
            self.cx.parameter_misfits(declared, types, needed, place);
        }
    }

    /// Two parameters each of which has the type that the uses of the other need.
    fn exchanged_types(&self, needed: &BTreeMap<Binding, Vec<&[TypeId]>>) -> Option<Diagnostic> {
        let mut all = needed.iter();
        let (one, other) = (all.next()?, all.next()?);
        let is_for = |parameter: Binding, needed: &[&[TypeId]]| {
            let mut needed = needed.iter();
            needed.all(|types| self.cx.symbols.overlap(self.scope.types(parameter), types))
        };
        let is_exchange =
            all.next().is_none() && is_for(*one.0, other.1) && is_for(*other.0, one.1);
        let uses = one.1.len() + other.1.len();
        if !is_exchange || uses < 3 {
            return None;
        }
        let names = [one.0, other.0].map(|it| &*self.scope.variables[it.index()].name);
        let types = [one.0, other.0].map(|it| self.cx.symbols.type_names(self.scope.types(*it)));
        let places = [one.0, other.0].map(|it| self.place(self.scope.span(*it)));
        let message = format!(
            "the types of `?{}` and `?{}` are exchanged",
            names[0], names[1]
        );
        let diagnostic = problem(Code::ArgumentType, message, places[0], "").primary(
            places[1].source,
            places[1].span,
            "",
        );
        Some(diagnostic.help(format!(
            "write `?{} - {} ?{} - {}`",
            names[0], types[1], names[1], types[0]
        )))
    }

    /// The parameters that fit none of several uses, which agree in what they need.
    fn wrong_types(
        &self,
        needed: &BTreeMap<Binding, Vec<&[TypeId]>>,
    ) -> Vec<(BTreeSet<Binding>, Diagnostic)> {
        let symbols = &self.cx.symbols;
        let several = needed.iter().filter_map(|(parameter, uses)| {
            // The type below all others that are needed.
            let least = uses.iter().find(|types| {
                let mut others = uses.iter();
                let is_kind =
                    |ty: TypeId, of: &[TypeId]| of.iter().any(|of| symbols.is_subtype(ty, *of));
                others.all(|other| types.iter().all(|ty| is_kind(*ty, other)))
            })?;
            (uses.len() > 1).then_some((parameter, least))
        });
        let reports = several.map(|(parameter, least)| {
            let name = &self.scope.variables[parameter.index()].name;
            let is = symbols.type_names(self.scope.types(*parameter));
            let needed = symbols.type_names(least);
            let place = self.place(self.scope.span(*parameter));
            let message =
                format!("`?{name}` has type `{is}`, and all that it is used for needs `{needed}`");
            let diagnostic = problem(Code::ArgumentType, message, place, "declared here")
                .help(format!("write `?{name} - {needed}`"));
            (BTreeSet::from([*parameter]), diagnostic)
        });
        reports.collect()
    }
}

fn place_of(diagnostic: &Diagnostic) -> Option<Place> {
    let label = diagnostic.place()?;
    Some(Place {
        source: label.source,
        span: label.span,
    })
}
