//! Templates that are refused, and the reports of them.

use super::*;

fn refused(text: &str) -> String {
    let templates = [("it.jinja".to_owned(), text.to_owned())];
    let flags = toml::Table::new();
    Prompts::new(templates, &["it.jinja"], &flags)
        .unwrap_err()
        .to_string()
}

#[test]
fn an_unknown_slot_is_named_with_its_place_and_the_nearest_that_there_is() {
    for (text, message) in [
        (
            "Hello.\nYou see {{ stat }}.",
            "it.jinja, line 2, column 12: there is no slot `stat`; did you mean `state`?",
        ),
        (
            "{# stat #}{% if agent.stat is defined %}{{ 'stat' }}{% for a in Actions %}{% endfor %}{% endif %}",
            "it.jinja, line 1, column 65: there is no slot `Actions`; did you mean `actions`?",
        ),
        (
            "é {{zzz}}",
            "it.jinja, line 1, column 5: there is no slot `zzz`",
        ),
    ] {
        assert_eq!(refused(text), message, "{text}");
    }
}

#[test]
fn all_unknown_slots_are_reported_also_where_no_trial_reaches_them() {
    let message = refused("{{ bb_one }}\n{% if tick > 1000 %}{{ aa_two }}{% endif %}{{ bb_one }}");
    assert_eq!(
        message,
        "it.jinja, line 1, column 4: there is no slot `bb_one`; \
         it.jinja, line 2, column 24: there is no slot `aa_two`"
    );
}

#[test]
fn what_a_slot_does_not_have_is_named_with_its_place() {
    assert_eq!(
        refused("{% for line in dialog %}\n{{ line.who }}{% endfor %}"),
        "it.jinja, line 2, column 4: there is no `line.who`"
    );
    assert_eq!(
        refused("{{ flags.helper }}"),
        "it.jinja, line 1, column 4: there is no `flags.helper`"
    );
}

#[test]
fn a_chain_or_nest_of_any_kind_is_an_error_that_names_the_template() {
    const MANY: usize = 20_000;
    let mut texts: Vec<String> = Vec::new();
    for link in [
        "+1",
        "-1",
        "*1",
        "**1",
        "~'a'",
        " and 1",
        " or 1",
        " in [1]",
        " is defined",
        " is not none",
        " if 1",
        " if 1 else 1",
        " == 1",
        " < 1",
        ".b",
        "|upper",
        "[0]",
        "[1:]",
        "()",
        "|default(1)",
    ] {
        texts.push(format!("{{{{ agent{} }}}}", link.repeat(MANY)));
    }
    for (open, close) in [
        ("-", ""),
        ("not ", ""),
        ("[", "]"),
        ("(", ")"),
        ("{'a':", "}"),
        ("upper(", ")"),
        ("1 if 1 else ", ""),
        ("1 ** ", ""),
    ] {
        let (open, close) = (open.repeat(MANY), close.repeat(MANY));
        texts.push(format!("{{{{ {open}1{close} }}}}"));
        texts.push(format!("{{% set a = {open}1{close} %}}"));
    }
    for (open, close) in [
        ("{% if 1 %}", "{% endif %}"),
        ("{% if 0 %}{% else %}", "{% endif %}"),
        ("{% for a in [1] %}", "{% endfor %}"),
        ("{% with %}", "{% endwith %}"),
        ("{% filter upper %}", "{% endfilter %}"),
        ("{% set a %}", "{% endset %}"),
        ("{% macro a() %}", "{% endmacro %}"),
        ("{% call upper() %}", "{% endcall %}"),
        ("{% autoescape true %}", "{% endautoescape %}"),
    ] {
        texts.push(format!("{}{}", open.repeat(MANY), close.repeat(MANY)));
    }
    texts.push(format!(
        "{{% if 1 %}}{}{{% endif %}}",
        "{% elif 1 %}".repeat(MANY)
    ));
    texts.push(format!(
        "{{% set a = 1 %}}{}",
        "{% set a = [a] %}".repeat(MANY)
    ));
    for text in texts {
        let message = refused(&text);
        assert!(
            message.starts_with("it.jinja"),
            "{}: {message}",
            &text[..60]
        );
        assert!(message.len() < 300, "{message}");
    }
}

#[test]
fn a_template_that_would_run_without_end_is_an_error() {
    for text in [
        "{% include 'it.jinja' %}",
        "{% extends 'it.jinja' %}",
        "{% import 'it.jinja' as it %}",
        "{% macro m(a) %}{{ m([a]) }}{% endmacro %}{{ m(1) }}",
        "{% for a in [1] recursive %}{{ loop([1]) }}{% endfor %}",
        "{% for a in range(90000) %}{% for b in range(90000) %}a{% endfor %}{% endfor %}",
        "{{ range(10000000) }}",
        "{{ 'a' * 1000000000000 }}",
        "{{ ['a'] * 1000000000000 }}",
        "{{ 'a'|replace('a', 'a' * 100000)|replace('a', 'a' * 100000) }}",
        "{{ 10 ** 1000000000 }}",
    ] {
        let message = refused(text);
        assert!(message.starts_with("it.jinja"), "{text}: {message}");
    }
    let text = "{% set it = namespace(a=1) %}{% set it.a = it %}{{ it }}";
    let message = "it.jinja, line 1, column 13: templates cannot use `namespace`";
    assert_eq!(refused(text), message);
}

/// The engine counts no work on what a value holds.
#[test]
fn a_template_whose_values_hold_too_much_is_an_error() {
    let nested = |name: &str| {
        let more = format!("{{% set {name} = [{}] %}}", [name; 8].join(", "));
        format!("{{% set {name} = [1, 2, 3] %}}{}", more.repeat(10))
    };
    let written = refused(&format!("{}{{{{ a }}}}", nested("a")));
    assert_eq!(written, "it.jinja: it writes more than 16777216 bytes");
    let compared = refused(&format!("{}{}{{{{ a == b }}}}", nested("a"), nested("b")));
    assert_eq!(compared, "it.jinja: it takes more than 5 s to fill in");
}

#[test]
fn what_is_set_in_a_template_and_what_all_templates_have_is_no_slot() {
    let text = "{% set n = 2 %}{% for i in range(n) %}{{ loop.index }}{{ i }}{% endfor %}\
                {% macro shout(word) %}{{ word | upper }}{% endmacro %}{{ shout('a') }}";
    let templates = [("it.jinja".to_owned(), text.to_owned())];
    let prompts = Prompts::new(templates, &["it.jinja"], &toml::Table::new()).unwrap();
    assert_eq!(
        prompts.render("it.jinja", &Slots::default()).unwrap(),
        "1021A"
    );
}

#[test]
fn a_design_depends_on_the_templates_that_it_uses_and_what_these_may_bring_in() {
    let templates =
        |second: &str| [("a", "x"), ("b", second), ("c", "z")].map(|(n, t)| (n.into(), t.into()));
    let names = |second: &str| {
        let templates: [(String, String); 3] = templates(second);
        let found = relevant(&templates, &["b"]);
        found.map(|(name, _)| name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names("y"), ["b"]);
    assert_eq!(names("{% include 'a' %}"), ["a", "b", "c"]);
}
