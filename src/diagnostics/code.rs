//! The registry of diagnostic codes: one line each, stable for ever.

use super::Severity;

macro_rules! codes {
    ($($code:ident $name:ident $meaning:literal;)*) => {
        /// A stable diagnostic code. `E…` are errors, `W…` warnings.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code {
            $(#[doc = $meaning] $name,)*
        }

        impl Code {
            /// Every code, in the order of the registry.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The code as printed, `E0001`.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($code),)*
                }
            }

            /// What the code means, in one sentence.
            pub const fn meaning(self) -> &'static str {
                match self {
                    $(Self::$name => $meaning,)*
                }
            }
        }
    };
}

codes! {
    // E00xx: syntax.
    E0001 InvalidUtf8 "The file is not valid UTF-8 text.";
    E0002 SourceTooLarge "The file is larger than the reader accepts.";
    E0003 UnclosedParenthesis "A parenthesis is opened and never closed.";
    E0004 StrayParenthesis "A closing parenthesis has no opening one.";
    E0005 UnterminatedString "A string literal has no closing quote.";
    E0006 UnexpectedCharacter "A character that has no meaning in a domain or problem file.";
    E0007 NestedTooDeeply "Lists are nested deeper than the reader accepts.";
    E0008 NotADefinition "The file is not one `(define (domain …) …)` or `(define (problem …) …)`.";
    E0009 TrailingText "Something follows the definition that the file holds.";
    E0010 UnknownSection "A section of the file has a keyword that does not exist there.";
    E0011 DuplicateSection "A section that may stand once stands twice.";
    E0012 ExpectedSection "Something other than a section stands at the top level of a definition.";
    E0013 UnknownKeyword "A definition has a keyword that does not exist there.";
    E0014 DuplicateKeyword "The same keyword stands twice in one definition.";
    E0015 MissingValue "A keyword has nothing after it.";
    E0016 MissingPart "A definition or construct lacks a part that it needs.";
    E0017 ExpectedName "Something else stands where a name is needed.";
    E0018 ExpectedVariable "Something else stands where a variable is needed.";
    E0019 MalformedTypedList "A list of names and types is not well formed.";
    E0020 MalformedType "A type is not well formed.";
    E0021 MalformedDeclaration "A declaration of a predicate or function is not well formed.";
    E0022 ExpectedFormula "Something else stands where a condition is needed.";
    E0023 ExpectedEffect "Something else stands where an effect is needed.";
    E0024 ExpectedTerm "Something else stands where a term is needed.";
    E0025 ExpectedNumber "Something else stands where a number is needed.";
    E0026 ExpectedString "Something else stands where a string is needed.";
    E0027 NumberOutOfRange "A number is too large or too precise to be exact.";
    E0028 WrongArity "A built-in construct has too few or too many parts.";
    E0029 MalformedTemplate "A text has a slot that is not well formed.";
    E0030 MalformedConstruct "A construct is not written the way its syntax asks for.";
    E0031 NeedsRequirement "A construct is used whose requirement the domain does not declare.";
    E0032 NotSupported "A construct is known, but not supported yet.";
    E0033 ExpectedInitItem "Something else stands where an initial fact is needed.";
    E0034 WrongKindOfFile "A problem was given where a domain is needed, or the reverse.";

    // E01xx: names, types, requirements.
    E0101 UnknownType "A type is not declared.";
    E0102 UnknownPredicate "A predicate is not declared.";
    E0103 UnknownFunction "A function is not declared.";
    E0104 UnknownObject "An object is not declared where it is used.";
    E0105 UnknownVariable "A variable is not declared where it is used.";
    E0106 UnknownAction "No primitive action has the name that `do` asks for.";
    E0107 UnknownEvent "The tick names an event that does not exist.";
    E0108 UnknownSemantics "A named semantics is not declared by the domain.";
    E0109 DuplicateDeclaration "A name is declared twice.";
    E0110 ReservedName "A name is declared that the language reserves.";
    E0111 CyclicTypes "A type is its own ancestor.";
    E0112 NumberAsType "A number stands where an object type is needed.";
    E0113 ArgumentCount "A predicate, function or action is given too few or too many arguments.";
    E0114 ArgumentType "An argument or value can never be of the type that is needed.";
    E0115 PredicateAsFunction "A predicate is used as if it had a value.";
    E0116 FunctionAsPredicate "A function is used as if it were true or false.";
    E0117 NotAnObject "Something else stands where an object is needed.";
    E0118 NotANumber "Something else stands where a number is needed.";
    E0119 Fraction "A fraction stands where a whole number is needed.";
    E0120 NumberTooLarge "A number is too large or too fine to be computed with exactly.";
    E0121 BadDivisor "A number is divided by zero.";
    E0122 NotStatic "Something that must be known before the first step depends on a fluent that changes.";
    E0123 DelayTooShort "A delay, duration or count is less than 1.";
    E0124 DerivedInEffect "An effect changes a derived predicate.";
    E0125 DerivedInInit "The initial state gives a derived predicate.";
    E0126 Unstratified "A derived predicate depends on its own negation.";
    E0127 MisplacedElse "An `else` reason stands elsewhere than at the top of a precondition.";
    E0128 MisplacedArgument "An `argmin` or `argmax` stands elsewhere than as the value of a `let`.";
    E0129 MisplacedLog "A `log` stands where no agent acts.";
    E0130 MaintainedEffect "A `maintain` is given an effect that cannot follow a condition.";
    E0131 NotPrimitive "A `do` names an action that is not primitive.";
    E0132 RecursivePrimitive "Primitive actions perform each other without end.";
    E0133 MissingAgent "An action lacks the `:agent` whose turn it belongs to, or whom it keeps busy.";
    E0134 RepeatedPhase "The tick names a phase twice.";
    E0135 IncompleteTick "The tick leaves out a phase.";
    E0136 UnboundedNumber "A number without bounds changes and is read.";
    E0137 CostMisused "A cost is changed other than by an increase that is not negative.";
    E0138 ContradictoryInit "The initial state says two different things of one fluent.";
    E0139 OutOfRange "An initial value is outside of the range of its function.";
    E0140 BadTime "A tick or a horizon is not a usable number.";
    E0141 MissingGoal "A problem has neither a goal nor a horizon.";

    // E02xx: grounding.
    E0201 TooManyInstances "Actions, events and rules have more instances than the grounder tries.";
    E0202 TooManyParts "Quantifiers and nested functions are larger, written out, than the grounder holds.";
    E0203 TooManyValues "Integers, delays or a horizon have more values than the grounder names.";
    E0204 StateTooWide "A state needs more bits than the kernel packs.";
    E0205 TooMuchWork "Finding what is reachable takes more steps than the grounder makes.";
    E0206 BadDelay "A delay, duration or count is, for some objects, no positive number of ticks.";

    // W00xx: syntax.
    W0001 NameOfConstruct "A predicate or function has the name of a construct that the requirements enable.";

    // W01xx: names, types, requirements.
    W0101 UnknownRequirement "A requirement key does not exist.";
    W0102 MissingRequirement "A construct of standard PDDL is used without its requirement key.";
    W0103 ImplicitType "A type is only named as the parent of another.";
    W0104 RedeclaredObject "An object is declared twice with the same type.";
    W0105 ShadowedVariable "A variable hides another of the same name.";
    W0106 UnusedVariable "A variable is never used.";
    W0107 AlwaysDistinct "An equality compares things that can never be equal.";
    W0108 ClampedValue "A constant outside of a range is assigned.";
    W0109 NoAgents "No object of the problem can act.";
    W0110 OtherDomain "A problem names another domain than the one it is given.";
}

impl Code {
    /// Whether a text with this error may hold declarations that could not be read.
    pub const fn may_lose_declarations(self) -> bool {
        matches!(self.as_str().as_bytes(), [b'E', b'0', b'0', ..])
            && !matches!(
                self,
                Self::DuplicateKeyword
                    | Self::MissingValue
                    | Self::ExpectedFormula
                    | Self::ExpectedEffect
                    | Self::ExpectedTerm
                    | Self::ExpectedInitItem
                    | Self::MalformedTemplate
                    | Self::NeedsRequirement
                    | Self::NumberOutOfRange
            )
    }

    /// Whether it says that something is missing, unknown or unused: an error that a declaration
    /// which could not be read would explain.
    pub const fn is_about_a_name(self) -> bool {
        matches!(
            self,
            Self::UnknownType
                | Self::UnknownPredicate
                | Self::UnknownFunction
                | Self::UnknownObject
                | Self::UnknownVariable
                | Self::UnknownAction
                | Self::UnknownEvent
                | Self::UnknownSemantics
                | Self::ArgumentCount
                | Self::ArgumentType
                | Self::NotPrimitive
                | Self::MissingAgent
                | Self::IncompleteTick
                | Self::MissingGoal
                | Self::ImplicitType
                | Self::UnusedVariable
                | Self::AlwaysDistinct
                | Self::NoAgents
                | Self::OtherDomain
        )
    }

    /// Errors and warnings are told apart by the code's letter.
    pub const fn severity(self) -> Severity {
        if matches!(self.as_str().as_bytes(), [b'W', ..]) {
            Severity::Warning
        } else {
            Severity::Error
        }
    }

    /// The code with the given spelling, in any case.
    pub fn from_spelling(text: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|code| code.as_str().eq_ignore_ascii_case(text))
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl serde::Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_well_formed() {
        let mut seen = std::collections::BTreeSet::new();
        for &code in Code::ALL {
            let text = code.as_str();
            assert!(seen.insert(text), "{text} is used twice");
            assert_eq!(text.len(), 5, "{text}");
            assert!(text.starts_with(['E', 'W']), "{text}");
            assert!(text[1..].bytes().all(|b| b.is_ascii_digit()), "{text}");
            assert!(code.meaning().ends_with('.'), "{text}");
            assert_eq!(Code::from_spelling(&text.to_lowercase()), Some(code));
        }
    }

    #[test]
    fn the_letter_decides_the_severity() {
        assert_eq!(Code::InvalidUtf8.severity(), Severity::Error);
        assert_eq!(Code::NameOfConstruct.severity(), Severity::Warning);
    }
}
