//! The modules of a crate: their files, what they define and hand on, and what they import.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::Visit;

use super::error::StructureError;

/// A module, in a file of its own or within one.
#[derive(Debug, Default)]
pub(super) struct Module {
    /// Its file.
    pub(super) file: PathBuf,
    /// The names that it defines, modules aside.
    pub(super) defined: BTreeSet<String>,
    /// The names that it hands on, and where it has them from.
    pub(super) handed_on: BTreeMap<String, Vec<String>>,
    /// The paths that it names.
    pub(super) imports: Vec<Vec<String>>,
}

pub(super) fn text(path: &Path) -> Result<String, StructureError> {
    fs::read_to_string(path).map_err(|error| StructureError::File {
        path: path.to_owned(),
        error,
    })
}

/// The modules of the library of a crate, by their paths; the root has the empty one.
pub(super) fn read_crate(folder: &Path) -> Result<BTreeMap<Vec<String>, Module>, StructureError> {
    let mut modules = BTreeMap::new();
    let mut open = vec![(Vec::new(), folder.join("src/lib.rs"))];
    while let Some((place, file)) = open.pop() {
        let parsed = syn::parse_file(&text(&file)?);
        let parsed = parsed.map_err(|error| StructureError::Rust {
            path: file.clone(),
            error,
        })?;
        let below = if file.ends_with("lib.rs") || file.ends_with("mod.rs") {
            file.with_file_name("")
        } else {
            file.with_extension("")
        };
        let mut reader = Reader {
            modules: &mut modules,
            open: &mut open,
            file: &file,
            below,
        };
        reader.read(place, &parsed.items);
    }
    Ok(modules)
}

struct Reader<'a> {
    modules: &'a mut BTreeMap<Vec<String>, Module>,
    open: &'a mut Vec<(Vec<String>, PathBuf)>,
    file: &'a Path,
    /// The folder of the modules that the file declares.
    below: PathBuf,
}

impl Reader<'_> {
    fn read(&mut self, place: Vec<String>, items: &[syn::Item]) {
        let mut module = Module {
            file: self.file.to_owned(),
            ..Module::default()
        };
        for item in items {
            if attributes(item).iter().any(is_for_tests) {
                continue;
            }
            if let syn::Item::Mod(inner) = item {
                let mut at = place.clone();
                at.push(inner.ident.to_string());
                match &inner.content {
                    Some((_, items)) => self.read(at, items),
                    None => self.open.push((at, self.declared(inner))),
                }
                continue;
            }
            if let syn::Item::Use(used) = item {
                let is_public = !matches!(used.vis, syn::Visibility::Inherited);
                for (name, path) in leaves(&used.tree) {
                    if is_public {
                        module.handed_on.insert(name, path.clone());
                    } else {
                        module.imports.push(path);
                    }
                }
                continue;
            }
            module.defined.extend(name(item));
            let mut paths = Paths(&mut module.imports);
            paths.visit_item(item);
        }
        self.modules.insert(place, module);
    }

    /// The file of a module that is declared.
    fn declared(&self, module: &syn::ItemMod) -> PathBuf {
        let given = module
            .attrs
            .iter()
            .find_map(|attribute| match &attribute.meta {
                syn::Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
                    syn::Expr::Lit(literal) => match &literal.lit {
                        syn::Lit::Str(path) => Some(path.value()),
                        _ => None,
                    },
                    _ => None,
                },
                _ => None,
            });
        if let Some(given) = given {
            return self.file.with_file_name(given);
        }
        let beside = self.below.join(format!("{}.rs", module.ident));
        if beside.is_file() {
            beside
        } else {
            self.below.join(module.ident.to_string()).join("mod.rs")
        }
    }
}

/// The paths of expressions, types and patterns that begin in this crate.
struct Paths<'a>(&'a mut Vec<Vec<String>>);

impl<'ast> Visit<'ast> for Paths<'_> {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.segments.len() > 1 {
            let segments = path
                .segments
                .iter()
                .map(|segment| segment.ident.to_string());
            self.0.push(segments.collect());
        }
        syn::visit::visit_path(self, path);
    }

    /// Leaves visibilities out: the path of `pub(in …)` is no import.
    fn visit_vis_restricted(&mut self, _: &'ast syn::VisRestricted) {}

    fn visit_item_use(&mut self, used: &'ast syn::ItemUse) {
        let leaves = leaves(&used.tree);
        self.0.extend(leaves.into_iter().map(|(_, path)| path));
    }
}

/// The names that a `use` brings, and the paths that they are of.
fn leaves(tree: &syn::UseTree) -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    let mut open = vec![(Vec::new(), tree)];
    while let Some((before, tree)) = open.pop() {
        let with = |ident: &syn::Ident| {
            let mut path: Vec<String> = before.clone();
            if ident != "self" || path.is_empty() {
                path.push(ident.to_string());
            }
            path
        };
        match tree {
            syn::UseTree::Path(path) => open.push((with(&path.ident), &*path.tree)),
            syn::UseTree::Name(name) => {
                let path = with(&name.ident);
                found.push((path.last().cloned().unwrap_or_default(), path));
            }
            syn::UseTree::Rename(name) => found.push((name.rename.to_string(), with(&name.ident))),
            syn::UseTree::Glob(_) => found.push(("*".to_owned(), before)),
            syn::UseTree::Group(group) => {
                open.extend(group.items.iter().map(|tree| (before.clone(), tree)));
            }
        }
    }
    found
}

fn is_for_tests(attribute: &syn::Attribute) -> bool {
    attribute.path().is_ident("cfg")
        && attribute
            .parse_args::<syn::Ident>()
            .is_ok_and(|ident| ident == "test")
}

fn attributes(item: &syn::Item) -> &[syn::Attribute] {
    match item {
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        syn::Item::Struct(item) => &item.attrs,
        _ => &[],
    }
}

fn name(item: &syn::Item) -> Option<String> {
    let ident = match item {
        syn::Item::Const(item) => &item.ident,
        syn::Item::Enum(item) => &item.ident,
        syn::Item::Fn(item) => &item.sig.ident,
        syn::Item::Static(item) => &item.ident,
        syn::Item::Struct(item) => &item.ident,
        syn::Item::Trait(item) => &item.ident,
        syn::Item::Type(item) => &item.ident,
        syn::Item::Union(item) => &item.ident,
        syn::Item::Macro(item) => item.ident.as_ref()?,
        _ => return None,
    };
    Some(ident.to_string())
}
