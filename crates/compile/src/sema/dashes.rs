//! Names that end in a dash. A name and a dash are one word (`f-0-`), unless a declared type follows: then
//! the blank before the dash was forgotten.

use std::borrow::Cow;
use std::collections::HashMap;

use super::context::Context;
use super::report::{File, problem};
use brigade_diagnostics::Code;
use brigade_syntax::ast::{Name, TypeExpr, Typed};

impl Context<'_> {
    /// A list of objects in which dashes that stand before a type are no part of a name. Each is reported.
    pub(super) fn objects_undashed<'l>(
        &mut self,
        list: &'l [Typed],
        file: File,
    ) -> Cow<'l, [Typed]> {
        if !list.iter().any(ends_in_dash) {
            return Cow::Borrowed(list);
        }
        let is_type = |name: &Name| self.symbols.type_index.contains_key(&*name.folded());
        let dashes = dashes(list, is_type);
        self.undashed(list, &dashes, file)
    }

    /// As [`Self::objects_undashed`], of `:types`: a type is declared that stands at another place, too.
    pub(super) fn types_undashed<'l>(&mut self, list: &'l [Typed]) -> Cow<'l, [Typed]> {
        if !list.iter().any(ends_in_dash) {
            return Cow::Borrowed(list);
        }
        let mut places: HashMap<String, usize> = HashMap::from([("object".to_owned(), 2)]);
        let parents = list.iter().flat_map(|typed| parents(typed.ty.as_ref()));
        for name in list.iter().map(|typed| &typed.name).chain(parents) {
            *places.entry(name.key()).or_default() += 1;
        }
        let dashes = dashes(list, |name| places.get(&*name.folded()) > Some(&1));
        self.undashed(list, &dashes, File::Domain)
    }

    /// The list read as if a blank stood before the dashes of these entries.
    fn undashed<'l>(
        &mut self,
        list: &'l [Typed],
        dashes: &[usize],
        file: File,
    ) -> Cow<'l, [Typed]> {
        let mut left = Vec::with_capacity(list.len());
        let mut at = 0;
        for &dash in dashes {
            let Typed { name, ty } = &list[dash];
            let word = &name.text[..name.text.len() - 1];
            let place = self.place(file, name.span);
            let follows = &list[dash + 1].name.text;
            let message = format!(
                "`{}` is one word, and the type `{follows}` stands after it",
                name.text
            );
            self.push(
                problem(Code::MalformedTypedList, message, place, "")
                    .help(format!("put a space before the dash: `{word} -`")),
            );
            left.extend_from_slice(&list[at..dash]);
            let named = TypeExpr::Named(list[dash + 1].name.clone());
            left.push(Typed {
                name: Name {
                    text: word.into(),
                    span: name.span,
                },
                ty: None,
            });
            let group = left.iter_mut().rev();
            for (behind, typed) in group.enumerate() {
                if behind > 0 && typed.ty != *ty {
                    break;
                }
                typed.ty = Some(named.clone());
            }
            at = dash + 2;
        }
        if at == 0 {
            return Cow::Borrowed(list);
        }
        left.extend_from_slice(&list[at..]);
        Cow::Owned(left)
    }
}

fn ends_in_dash(typed: &Typed) -> bool {
    typed.name.text.len() > 1 && typed.name.text.ends_with('-')
}

fn parents(ty: Option<&TypeExpr>) -> &[Name] {
    match ty {
        Some(TypeExpr::Named(name)) => std::slice::from_ref(name),
        Some(TypeExpr::Either(names, _)) => names,
        _ => &[],
    }
}

/// The entries of a list whose dash stands before a declared type. A name that itself has a dash and a type
/// after it is no type there.
fn dashes(list: &[Typed], is_type: impl Fn(&Name) -> bool) -> Vec<usize> {
    let mut found = Vec::new();
    for (at, typed) in list.iter().enumerate() {
        let Some(next) = list.get(at + 1).filter(|_| ends_in_dash(typed)) else {
            continue;
        };
        let of_group = |typed: &Typed| typed.ty == next.ty;
        let is_last = next.ty.is_some() && !list.get(at + 2).is_some_and(of_group);
        let is_taken = found.last().is_some_and(|last| last + 1 == at);
        if of_group(typed) && !is_last && !is_taken && is_type(&next.name) {
            found.push(at);
        }
    }
    found
}
