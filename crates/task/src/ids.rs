//! The numbers of variables, operators, labels, objects, predicates and schemas.

macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

index!(
    /// Index into [`Task::variables`](crate::Task::variables).
    VarId
);
index!(
    /// Index into [`Task::operators`](crate::Task::operators).
    OperatorId
);
index!(
    /// Index into [`Task::labels`](crate::Task::labels).
    LabelId
);

index!(
    /// Index into [`Task::totals`](crate::Task::totals).
    TotalId
);

index!(
    /// Index into [`Symbols::objects`](crate::symbols::Symbols::objects).
    ObjectId
);

index!(
    /// Index into [`Symbols::predicates`](crate::symbols::Symbols::predicates).
    PredicateId
);

index!(
    /// Index into [`Symbols::schemas`](crate::symbols::Symbols::schemas).
    SchemaId
);

/// A label that was recorded, and whose it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LogEntry {
    /// Index into [`Task::agents`](crate::Task::agents).
    pub agent: u16,
    /// The label.
    pub label: LabelId,
}
