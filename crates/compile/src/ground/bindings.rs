//! Values of the variables of a schema, and the objects that a variable ranges over.

use crate::sema::model::ObjectId;

/// Values of a schema's variables.
pub(super) type Bindings = Vec<Option<ObjectId>>;

/// The objects of a union of types.
#[derive(Debug)]
pub(super) struct Extent {
    /// In declared order.
    pub(super) objects: Vec<ObjectId>,
    /// By object, whether it is one of them.
    contains: Vec<bool>,
}

impl Extent {
    /// The extent of these objects, of so many in all.
    pub(super) fn new(objects: Vec<ObjectId>, all: usize) -> Self {
        let mut contains = vec![false; all];
        for object in &objects {
            contains[object.index()] = true;
        }
        Self { objects, contains }
    }

    pub(super) fn contains(&self, object: ObjectId) -> bool {
        self.contains[object.index()]
    }
}

/// The objects of the parameters; the other variables are not bound yet.
pub(super) fn bindings(args: &[ObjectId], variables: usize) -> Bindings {
    let mut at: Bindings = args.iter().copied().map(Some).collect();
    at.resize(variables, None);
    at
}
