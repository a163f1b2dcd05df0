//! The registry of diagnostic codes: what each means and what to do about it. Codes are stable.

use super::severity::Severity;

macro_rules! codes {
    ($($code:ident $name:ident $meaning:literal => $advice:literal;)*) => {
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

            /// Returns the meaning of the code, in one sentence.
            pub const fn meaning(self) -> &'static str {
                match self {
                    $(Self::$name => $meaning,)*
                }
            }

            /// Returns the advice for the code, where a report has no better advice of its own.
            pub const fn advice(self) -> &'static str {
                match self {
                    $(Self::$name => $advice,)*
                }
            }
        }
    };
}

codes! {
    // E00xx: syntax.
    E0001 InvalidUtf8 "The file is not valid UTF-8 text."
        => "save the file with the encoding UTF-8";
    E0002 SourceTooLarge "The file is larger than the reader accepts."
        => "split the problem, or generate less of it";
    E0003 UnclosedParenthesis "A list begins with `(` and has no `)` that ends it."
        => "add the `)` where the list ends, which is before the second place that the report shows";
    E0004 StrayParenthesis "A `)` ends no list, or ends one too early."
        => "remove it, or add the `(` that is missing before it";
    E0005 UnterminatedString "A string literal has no closing quote."
        => "close it with `\"` on the same line; a line break in a text is written `\\n`";
    E0006 UnexpectedCharacter "A character has no meaning in a domain or problem file."
        => "remove it; names are made of letters, digits and `-_.+*/<=>!$%&@~^#`";
    E0007 NestedTooDeeply "Lists are nested deeper than the reader accepts."
        => "name inner conditions with derived predicates, or join nested `and`s and `or`s into one";
    E0008 NotADefinition "The file is not one `(define (domain …) …)` or `(define (problem …) …)`."
        => "begin with `(define (domain name) …)` or `(define (problem name) …)`";
    E0009 TrailingText "Text follows the definition of the file."
        => "put each domain, problem and stream into a file of its own";
    E0010 UnknownSection "A section has a keyword that is unknown in this kind of file."
        => "compare the spelling with the sections in docs/reference/language.md; a problem has other sections than a domain";
    E0011 DuplicateSection "A section that may occur once occurs twice."
        => "join the two sections";
    E0012 ExpectedSection "An item at the top level of a definition is not a section."
        => "a section is a list that begins with a keyword, such as `(:action …)`";
    E0013 UnknownKeyword "A definition has an unknown keyword."
        => "compare the spelling with the keywords of such a definition in docs/reference/language.md";
    E0014 DuplicateKeyword "One definition has the same keyword twice."
        => "join the two, for example with `and`";
    E0015 MissingValue "A keyword has no value."
        => "write a value after it, or remove the keyword";
    E0016 MissingPart "A definition or construct lacks a required part."
        => "add the part that the message names";
    E0017 ExpectedName "A name is expected, but something else is found."
        => "a name is a bare word such as `cup`: no `?`, `:` or quotes, and not a number";
    E0018 ExpectedVariable "A variable is expected, but something else is found."
        => "a variable begins with a question mark: `?x`";
    E0019 MalformedTypedList "A list of names and types is not well formed."
        => "names come before the dash, their type after it: `cup plate - item`";
    E0020 MalformedType "A type is not well formed."
        => "a type is a name, `(either t1 t2)`, `(int lo hi)` or `number`";
    E0021 MalformedDeclaration "A declaration of a predicate or function is not well formed."
        => "write `(name ?x - type …)`, and after a function `- type`";
    E0022 ExpectedFormula "A condition is expected, but something else is found."
        => "a condition is `(predicate term …)`, a comparison such as `(= a b)`, or made of conditions by `and`, `or`, `not`, `forall`, …";
    E0023 ExpectedEffect "An effect is expected, but something else is found."
        => "an effect is `(predicate term …)`, `(not (predicate term …))`, an assignment such as `(increase (f) 1)`, or made of effects by `and`, `when`, `forall`, …";
    E0024 ExpectedTerm "A term is expected, but something else is found."
        => "a term is an object, a variable, a number, or a function of terms: `(held ?c)`";
    E0025 ExpectedNumber "A number in digits is expected, but something else is found."
        => "write a number in digits; ticks, counts and bounds are whole: `3`";
    E0026 ExpectedString "A string is expected, but something else is found."
        => "write a text in double quotes: `\"take {?i}\"`";
    E0027 NumberOutOfRange "A number is too large or too precise to be exact."
        => "numbers have at most 15 digits before the point and 3 after it";
    E0028 WrongArity "A built-in construct has too few or too many parts."
        => "compare with the form of the construct, which the report shows";
    E0029 MalformedTemplate "A text has a slot that is not well formed."
        => "a slot is `{?x}`, an object or a function of them in braces; a brace itself is doubled: `{{`";
    E0030 MalformedConstruct "A construct is malformed."
        => "compare with the form of the construct in docs/reference/language.md";
    E0031 NeedsRequirement "The domain does not declare the requirement key of a construct that it uses."
        => "add its key to the `:requirements` of the domain";
    E0032 NotSupported "A construct is recognised, but not supported."
        => "say it with other constructs; docs/reference/language.md lists all that is refused";
    E0033 ExpectedInitItem "An initial fact is expected, but something else is found."
        => "a fact is `(predicate object …)` or `(= (function object …) value)`";
    E0034 WrongKindOfFile "A domain is given where a problem is needed, or the reverse."
        => "give each command the kind of file that it asks for; a domain goes with `--domain`";

    // E01xx: names, types, requirements.
    E0101 UnknownType "A type is not declared."
        => "declare it in `:types`";
    E0102 UnknownPredicate "A predicate is not declared."
        => "declare it in `:predicates`";
    E0103 UnknownFunction "A function is not declared."
        => "declare it in `:functions`";
    E0104 UnknownObject "An object is not declared where it is used."
        => "declare it in `:objects` of the problem, or in `:constants` of the domain";
    E0105 UnknownVariable "A variable is not declared where it is used."
        => "declare it in `:parameters`, or in a quantifier around the place";
    E0106 UnknownAction "A `do` names a primitive action that does not exist."
        => "declare an action of that name and mark it `:primitive`";
    E0107 UnknownEvent "The tick names an event that does not exist."
        => "declare it with `(:event …)`, or remove it from `:tick`";
    E0108 UnknownSemantics "A named semantics is not declared by the domain."
        => "declare it with `(:semantics …)`, or choose a declared one with `--semantics`";
    E0109 DuplicateDeclaration "A name is declared twice."
        => "rename or remove one of the two";
    E0110 ReservedName "A declared name is reserved by the language."
        => "choose another name";
    E0111 CyclicTypes "A type is its own ancestor."
        => "make one of the types a child of `object`";
    E0112 NumberAsType "A number stands where an object type is needed."
        => "only functions have numbers as values: `(f ?x) - number`, `(f ?x) - (int 0 9)`";
    E0113 ArgumentCount "A predicate, function or action is given too few or too many arguments."
        => "compare with its declaration, which the report shows";
    E0114 ArgumentType "An argument or value can never be of the required type."
        => "give an object of the type that the declaration asks for";
    E0115 PredicateAsFunction "A predicate is used as a term."
        => "test it as a condition, or declare it in `:functions`";
    E0116 FunctionAsPredicate "A function is used as a condition or as a fact."
        => "compare its value, `(= (f …) …)`, or change it with `assign`";
    E0117 NotAnObject "An object is expected, but something else is found."
        => "give a variable, an object, or an object-valued function";
    E0118 NotANumber "A numeric term is expected, but something else is found."
        => "give a number, a numeric function, or an arithmetic term";
    E0119 Fraction "A whole number is required, but a term may have a fraction."
        => "give a whole number; costs, comparisons and static functions may have fractions";
    E0120 NumberTooLarge "A number is too large or too precise for exact arithmetic."
        => "use smaller numbers, or fewer digits after the point";
    E0121 BadDivisor "A number is divided by zero."
        => "divide by a number other than 0";
    E0122 NotStatic "A term that must be known before the first step depends on a fluent that changes."
        => "use constants, parameters, and fluents that no effect changes";
    E0123 DelayTooShort "A delay, duration or count is less than 1."
        => "give a whole number from 1 up";
    E0124 DerivedInEffect "An effect changes a derived predicate."
        => "change the fluents that its rules read";
    E0125 DerivedInInit "The initial state gives a derived predicate."
        => "give the facts that its rules read";
    E0126 Unstratified "A derived predicate depends on its own negation."
        => "break the circle: no rule of it may negate, count or compare what depends on its own head";
    E0127 MisplacedElse "An `else` reason is not at the top level of a precondition."
        => "put it directly into the precondition, or into an `and` that is";
    E0128 MisplacedArgument "An `argmin` or `argmax` is not the value of a `let`."
        => "bind it first: `(let ((?x (argmin …))) …)`, then use `?x`";
    E0129 MisplacedLog "A `log` is in an effect without an acting agent."
        => "log in the action that causes the event";
    E0130 MaintainedEffect "The effect of a `maintain` cannot follow a condition."
        => "name the atoms that follow the condition; put other effects after them";
    E0131 NotPrimitive "A `do` names an action that is not primitive."
        => "mark that action `:primitive`: agents then no longer choose it themselves";
    E0132 RecursivePrimitive "Primitive actions perform each other in a cycle."
        => "remove one `do` from the circle";
    E0133 MissingAgent "An action lacks its `:agent`: other actions have one, or it keeps its agent busy."
        => "add `:agent ?a - type`, or make it an `:event`";
    E0134 RepeatedPhase "The tick names a phase twice."
        => "each phase runs once a tick: remove one of the two";
    E0135 IncompleteTick "The tick leaves out a phase."
        => "name `timers`, `timed-literals` and every event, in the order they run";
    E0136 UnboundedNumber "A number without bounds changes and is read."
        => "declare it with bounds, `- (int 0 100)`; a cost must not be read";
    E0137 CostMisused "A cost is changed other than by an increase that is not negative."
        => "change a cost by `(increase …)` only, or do not optimise the function in `:metric`";
    E0138 ContradictoryInit "The initial state gives two values to one fluent."
        => "remove one of the two facts";
    E0139 OutOfRange "An initial value is outside of the range of its function."
        => "give a value within the range, or widen it";
    E0140 BadTime "A tick, a horizon or the limit of a wait is not a positive whole number within its range."
        => "give a whole number from 1 up";
    E0141 MissingGoal "A problem has neither a goal nor another end."
        => "add `(:goal …)`, or `(:horizon N)` or `(:end …)` for a problem that ends without one";
    E0142 ViewerNotAnAgent "The variable of an `:observable-by` ranges over no agents."
        => "give it the type of the `:agent` of an action";
    E0143 NothingMustAct "The type of a `(:wait none - type)` has no agents."
        => "name the type of the `:agent` of an action";
    E0144 WeightWithoutNature "An action has a `:weight`, but its agents are not of nature."
        => "remove the `:weight`, or declare the role of the agents: `(:role type nature)`";
    E0145 NothingOfNature "The type of a `(:role type nature)` has no agents."
        => "name the type of the `:agent` of an action";
    E0146 BadWeight "A `:weight` is negative, or 2^31 or more."
        => "give a whole number from 0 to 2147483647";
    E0148 OrderOfTurns "`:order any` is given for turns that have no order."
        => "leave out `:order any`, or make the turns sequential";
    E0150 StreamRepeats "A stream gives an object or a value that the problem or an earlier stream has already."
        => "take it out of the stream, or out of the problem";
    E0151 StreamOfAnother "A stream is laid over a problem of another domain, or over a problem other than the one it names."
        => "choose another stream or problem; a stream without `(:problem …)` is for all problems of its domain";
    E0152 BadCell "A cell of a layout is outside of the board, or it or its object is taken."
        => "give each object of a layout one cell of its own, in columns and rows from 0 to 199";
    E0153 NotDrawable "A layout draws something that does not follow from facts of the state."
        => "write `(draw (?x - type) thing place :when fact)`, where the fact names each variable";

    // E02xx: grounding.
    E0201 TooManyInstances "Actions, events and rules have more instances than the limit of grounding."
        => "use fewer objects or parameters, or more static facts in preconditions";
    E0202 TooManyParts "Quantifiers and nested functions expand to more parts than the limit of grounding."
        => "quantify over fewer objects, or nest less";
    E0203 TooManyValues "Integers, delays or a horizon have more values than the limit of grounding."
        => "narrow the bounds of integers, shorten delays or the horizon";
    E0205 TooMuchWork "Reachability analysis takes more steps than the limit of grounding."
        => "use fewer parameters, or static facts in preconditions that leave fewer combinations";
    E0206 BadDelay "A delay, duration or count is, for some objects, less than 1 or too large to be counted."
        => "give each of them a value from 1 up to some hundred thousand, or exclude them by the precondition";

    // E03xx: files of other formats.
    E0301 MalformedJson "The file is not well-formed JSON."
        => "correct the place that the report shows; JSON has no comments and no comma after the last item";
    E0302 WrongJsonValue "A value in a JSON or layout file is of the wrong kind."
        => "give a value of the kind that the message names";
    E0303 MissingKey "An object in a JSON or layout file lacks a required key."
        => "add the key";
    E0304 NotAName "A word of a JSON file cannot be a name of the language."
        => "use a letter first, then letters, digits and `-_.+*/<=>!$%&@~^#`";
    E0305 UnknownSpecialEffect "The first special effect of a list of Robotouille is of an unknown kind: the published loader fails on it."
        => "the kinds are conditional, delayed, repetitive, creation and deletion";
    E0306 NoExactForm "A construct in a domain of Robotouille has no exact counterpart in the language."
        => "delayed effects may be nested in conditional ones, and creations in delayed or repetitive ones";
    E0307 ParameterOfTwoTypes "A parameter of Robotouille is used for two types."
        => "rename one of the two: a name of a parameter has one type throughout the file";
    E0308 RandomEntity "An entity of Robotouille names only a type, for which the published loader would choose an object at random."
        => "name what it is, such as `table` rather than `station`";
    E0309 UnknownId "A goal of Robotouille names an id that no entity has."
        => "give an entity that `id`, or use a number, which stands for any object of the argument's name";
    E0310 MalformedLiteral "A layout file of Overcooked-AI is neither a well-formed Python literal nor JSON."
        => "correct the place that the report shows: a layout is a dictionary, `{\"grid\": …}`";
    E0311 MalformedGrid "The grid of a layout of Overcooked-AI is not playable."
        => "draw a kitchen whose border is no floor, with players from `1` on, `O` or `T`, `D`, `P` and `S`";
    E0312 BadLayoutValue "A value in a layout of Overcooked-AI contradicts the rest of the layout, or the rules."
        => "give a value that fits the grid, and the ranges of the domain";
    E0313 UnknownLayout "The file does not have the requested layout."
        => "leave out `--layout` to read all layouts";

    // E04xx: writing files of other formats.
    E0401 NotExpressible "A construct of a domain or problem has no counterpart in the format of the export."
        => "leave it out, or use a construct of that format; docs/how-to/classical.md and docs/reference/systems/robotouille.md describe the formats";

    // W00xx: syntax.
    W0001 NameOfConstruct "A predicate or function has the name of a construct that the requirements enable."
        => "rename it: wherever the construct may stand, the word is read as the construct";
    W0002 MalformedAllowance "A comment that silences a warning is malformed."
        => "write `; brigade: allow W0206 \"why\"` before what it is about, or `allow-file`";
    W0003 UnusedAllowance "A comment silences a warning that does not occur."
        => "remove the comment";
    W0010 IgnoredSection "A section of standard PDDL is ignored, since no plan depends on it."
        => "remove it; nothing depends on it";
    W0011 PrivacyIgnored "Private declarations are read as public ones."
        => "nothing is to be done; whom facts are told in words is said with `:observable-by`";

    // W01xx: names, types, requirements.
    W0101 UnknownRequirement "A requirement key is unknown."
        => "compare the spelling with the keys in docs/reference/language.md, or remove it";
    W0102 MissingRequirement "A construct of standard PDDL is used without its requirement key."
        => "add the key to `(:requirements …)`, so that other planners accept the file";
    W0103 ImplicitType "A type is only named as the parent of another."
        => "declare the type in `:types`";
    W0104 RedeclaredObject "An object is declared twice with the same type, or a type is declared twice."
        => "remove one of the two; a type that is declared twice has the parents of both";
    W0105 ShadowedVariable "A variable hides another of the same name."
        => "rename one of the two";
    W0106 UnusedVariable "A variable is never used."
        => "remove it, or begin its name with `_` if that is meant";
    W0107 AlwaysDistinct "An equality compares terms that can never be equal."
        => "compare things of types that have objects in common";
    W0108 ClampedValue "An assigned constant is outside of the range of its function."
        => "assign a value within the range, or widen it";
    W0109 NoAgents "No object of the problem can act."
        => "declare the agents in `:objects`";
    W0110 OtherDomain "A problem names a domain other than the given one."
        => "give the domain file that the problem was written for";
    W0111 ObserversWithoutText "An `:observable-by` restricts the observers of a fluent without a `:text`."
        => "give the predicate or function a `:text`, or leave out `:observable-by`";
    W0112 RepeatedParameter "Two parameters of a predicate or function have one name."
        => "rename one of the two";
    W0113 NamedAsType "An object has the name of a type: its dash is probably missing."
        => "a type stands after its objects and a dash";

    // W02xx: what a sound domain or problem probably does not mean.
    W0201 UnusedFluent "A predicate or function is used nowhere in the domain."
        => "remove it, or use it in an action";
    W0202 NeverRead "Effects change a predicate or function that nothing reads."
        => "remove it with the effects that change it, or test it where it matters";
    W0203 NeverTrue "A predicate is only made false, or only required to be false, and nothing makes it true; or a function is read, and nothing gives it a value."
        => "give it in `:init`, or make it true in the effect of an action";
    W0204 NeverFalse "A predicate is made true and only required to be false, and nothing makes it false again."
        => "make it false where what it stands for ends";
    W0205 UnusedType "No parameter, variable or value is of a type."
        => "remove it, or give it to the parameters that are meant";
    W0206 UnusedObject "No possible action uses an object."
        => "remove it, or give it the facts that the actions ask for";
    W0207 ActionNeverPossible "An action is applicable in no reachable state of a problem."
        => "give the missing fact in `:init`, or add an effect that makes it true";
    W0208 GoalOutOfReach "A goal is unreachable, even if no fact ever became false again."
        => "give the missing fact in `:init`, or add an effect that makes it true";
    W0209 IdleAgent "An agent can never act."
        => "give the facts that its actions ask for, or leave the agent out";
    W0210 EventNeverFires "An event can never fire."
        => "give the missing fact in `:init`, or add an effect that makes it true";
    W0211 DelayNeverDone "A delayed effect never starts, or is never due."
        => "change the condition that it depends on, or add an effect that makes that true";
    W0212 AmbiguousLabel "Two different actions of one agent can have the same label at the same time."
        => "let the labels differ, or silence this where the two count as one";
    W0213 ComparisonDecided "A comparison always holds or never does, by the ranges of its operands."
        => "compare with a value within the range, or widen it";
    W0214 GoalWithoutText "The goal requires a fact that no text shows to agents, though other facts have texts."
        => "give the predicate or function a `:text`";
    W0215 Contradiction "A conjunction requires two conditions that exclude each other, such as a fact to be true and false."
        => "remove one of the two, or join them by `or`";
    W0216 LostAtStart "The initial state of a problem is a losing one: its `:fail` holds."
        => "change what `:init` gives, or what `:fail` says";
    W0217 AgentOfAnyType "In a domain with types, an `:agent` has none, so that every object is an agent."
        => "write the type of the agents, such as `:agent ?a - cook`, or `- object` if all objects act";
    W0218 UnmarkedSlot "A text names a variable without the braces of a slot."
        => "write the variable in braces, `{?x}`";
    W0219 Unrelated "No fact relates an object to another, though facts relate most others of its type: an ingredient of no recipe."
        => "give it the facts that others of its type have, or remove it";
    W0220 LimitBeyondRange "A number is compared with a limit beyond its range: it stops before, so the limit never binds."
        => "let the range reach the limit: a change beyond the end of a range stops at the end";
    W0221 ReachedAtStart "The goal of a problem holds in its initial state: the empty plan reaches it."
        => "change what `:init` gives, or what the goal asks for";
    W0222 TimedTooLate "A timed fact of `:init` comes after the end of the problem."
        => "give it an earlier tick, or the problem a later `:horizon`";
    W0223 OpposedEffects "An effect makes a fact true and false at once, which makes it true."
        => "remove one of the two, or let one follow the other in `(seq …)`";
    W0224 EndedAtStart "The `:end` of a problem holds in its initial state: no action is ever taken."
        => "change what `:init` gives, or what `:end` says";
    W0225 EventNeverForObject "An event has some of its conditions met for an object, such as an open order, and can never fire for it, though it can for others."
        => "give the facts that its condition requires, or leave the object out";
    W0226 HiddenLegality "The legality of an action depends on a fact that its agent may not observe."
        => "test facts that the agent observes, or extend the `:observable-by`";
    W0227 NothingAtStake "A problem has no goal, and nothing that can happen changes its metric: every plan is worth the same."
        => "lay the missing stream over it with `--init`, such as orders or a deal, or give what the effects on the metric take";

    // W03xx: files of other formats.
    W0301 UnknownKey "A key in a JSON or layout file is not read."
        => "remove it, or correct its spelling";
    W0302 RepeatedLiteral "A list of Robotouille has the same literal twice."
        => "remove one of the two";
    W0303 EntityNowhere "An entity of Robotouille is at no station, in no hand and in no container."
        => "give it the position of a station, a player or a container, as its kind asks for";
    W0304 PlayerNowhere "A player of Robotouille faces no station."
        => "let position and direction add up to the position of a station";
    W0305 RepeatedId "Two entities of Robotouille have the same id."
        => "give each an id of its own; a goal means the first";
    W0306 SharedGoalId "A number in a goal of Robotouille goes with two names."
        => "give each name a number of its own";
    W0307 UnreachableGoal "A goal of Robotouille is unreachable."
        => "ask for what the environment has, or what can be created in it";
    W0308 CrowdedStation "Two players of Robotouille face the same station."
        => "turn one of them to a station of its own: no move leads to one that is not vacant";
    W0309 UnknownSlot "The braces in a text of Robotouille hold a word that is no parameter."
        => "write the name of a parameter, or of a predicate the number of an argument";
    W0310 UndeclaredType "A type of Robotouille is used and not declared. The published loader does not check it, and fails when it makes a state; Brigade accepts the type."
        => "add it to `object_types`, or correct its spelling";
    W0311 RepeatedSpecialEffect "A special effect of Robotouille is of an unknown kind. Under `upstream` the one before it in the list is taken once more, as by the published loader; under `clean` it is left out."
        => "the kinds are conditional, delayed, repetitive, creation and deletion";
    W0312 InfiniteBonus "The bonus of a layout of Overcooked-AI is infinite, and is read as a large number."
        => "give the factor that is meant";
}

impl Code {
    /// Returns true if a text with this error may hold declarations that could not be read.
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

    /// Returns true if it says that something is missing, unknown or unused: an error that a declaration which could
    /// not be read would explain.
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
                | Self::NotAnObject
                | Self::NotANumber
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

    /// Returns true if reports that say the same of several places are one mistake: a name that is nowhere declared, a
    /// word that is always spelt so, a declaration that none of its uses agrees with.
    pub const fn is_one_mistake(self) -> bool {
        matches!(
            self,
            Self::UnexpectedCharacter
                | Self::ExpectedName
                | Self::ExpectedVariable
                | Self::UnknownSection
                | Self::ExpectedSection
                | Self::UnknownKeyword
                | Self::NotSupported
                | Self::PrivacyIgnored
                | Self::MalformedTypedList
                | Self::MalformedType
                | Self::UnknownType
                | Self::UnknownPredicate
                | Self::UnknownFunction
                | Self::UnknownObject
                | Self::UnknownAction
                | Self::UnknownEvent
                | Self::UnknownSemantics
                | Self::ArgumentCount
                | Self::ArgumentType
                | Self::PredicateAsFunction
                | Self::AlwaysDistinct
                | Self::NamedAsType
        )
    }

    /// Returns the severity, which the code's letter shows.
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
            assert!(!code.advice().is_empty(), "{text}");
            assert!(!code.advice().ends_with('.'), "{text}");
            assert_eq!(Code::from_spelling(&text.to_lowercase()), Some(code));
        }
    }

    #[test]
    fn the_letter_decides_the_severity() {
        assert_eq!(Code::InvalidUtf8.severity(), Severity::Error);
        assert_eq!(Code::NameOfConstruct.severity(), Severity::Warning);
    }
}
