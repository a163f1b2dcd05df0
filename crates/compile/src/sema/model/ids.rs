//! The numbers of types, objects, fluents, actions and variables.

macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index into the model's vector.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

index!(
    /// Index into [`Model::types`](crate::sema::model::Model::types).
    TypeId
);
index!(
    /// Index into [`Model::objects`](crate::sema::model::Model::objects).
    ObjectId
);
index!(
    /// Index into [`Model::fluents`](crate::sema::model::Model::fluents).
    FluentId
);
index!(
    /// Index into [`Model::actions`](crate::sema::model::Model::actions).
    ActionId
);
index!(
    /// Index into the `variables` of the schema (action, event, axiom, goal) a term stands in.
    Binding
);
