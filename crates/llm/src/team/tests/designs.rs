//! The sound designs, and the refused parts of others.

use super::*;

#[test]
fn every_bundled_design_is_sound() {
    for file in bundled::DESIGNS {
        let design = Design::parse(file.text, &toml::Table::new()).unwrap();
        assert_eq!(file.name, format!("{}.toml", design.name));
        prompts(&design);
    }
}

#[test]
fn a_module_is_switched_off_by_the_configuration() {
    let changes =
        toml::from_str("verifier = { enabled = false }\ntheory-of-mind = { enabled = false }")
            .unwrap();
    let design = Design::parse(bundled::design("cac").unwrap(), &changes).unwrap();
    let (_, events) = play(&design, "ann", 1, &["Reasoning: so\nAction: wait"]);
    assert_eq!(modules(&events), ["ann reasoner"]);
}

#[test]
fn a_key_that_is_not_known_is_refused_with_its_place() {
    let text = bundled::design("react")
        .unwrap()
        .replace("memory", "memroy");
    let error = Design::parse(&text, &toml::Table::new()).unwrap_err();
    let error = error.to_string();
    assert!(
        error.contains("memroy") && error.contains("line 5"),
        "{error}"
    );
}

#[test]
fn a_template_with_a_slot_that_there_is_not_is_refused_before_anything_is_asked() {
    let text = ("a.jinja".to_owned(), "You see:\n{{ sttate }}".to_owned());
    let error = Prompts::new([text], &["a.jinja"], &toml::Table::new()).unwrap_err();
    assert!(
        error
            .0
            .starts_with("a.jinja, line 2, column 4: there is no slot `sttate`")
    );
}

#[test]
fn a_template_that_does_not_end_is_refused() {
    let endless =
        "{% for a in range(10000) %}{% for b in range(10000) %}{{ b }}{% endfor %}{% endfor %}";
    let text = ("a.jinja".to_owned(), endless.to_owned());
    assert!(Prompts::new([text], &["a.jinja"], &toml::Table::new()).is_err());
}
