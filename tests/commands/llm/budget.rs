//! A budget ends a run cleanly, whoever spends it.

use std::sync::Arc;
use std::thread;

use brigade::llm::budget::{Budget, Price, SpendingLimits};
use brigade::llm::chat::{ChatError, Usage};
use brigade::llm::http::HttpChat;
use serde_json::json;

use crate::llm::endpoint::{Answer, Endpoint};
use crate::llm::{ask, never, options};

fn limited(endpoint: &Endpoint, tokens: u64) -> (HttpChat, Arc<Budget>) {
    let limits = SpendingLimits {
        tokens: Some(tokens),
        cost: None,
    };
    let budget = Arc::new(Budget::new(limits, None).unwrap());
    let chat = HttpChat::new(options(endpoint), Arc::clone(&budget), never());
    (chat, budget)
}

#[test]
fn questions_beyond_the_budget_are_not_sent() {
    let endpoint = Endpoint::start([Answer::text("wait()")]);
    // An answer takes 15 tokens.
    let (chat, budget) = limited(&endpoint, 30);
    assert!(ask(&chat).is_ok() && ask(&chat).is_ok());
    let error = ask(&chat).unwrap_err();
    assert_eq!(error, ask(&chat).unwrap_err());
    assert_eq!(error.to_string(), "the budget is spent: 30 of 30 tokens");
    assert_eq!(endpoint.requests().len(), 2);
    assert_eq!(
        (budget.spent().usage.input, budget.spent().cost),
        (20, None)
    );
}

#[test]
fn threads_spend_one_budget() {
    let endpoint = Endpoint::start([Answer::text("wait()")]);
    let (chat, budget) = limited(&endpoint, 150);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| while ask(&chat).is_ok() {});
        }
    });
    let asked = endpoint.requests().len();
    // Three more may have been under way when the last was counted.
    assert!((10..=13).contains(&asked), "{asked}");
    assert_eq!(budget.spent().usage.output, 5 * asked as u64);
}

#[test]
fn those_who_wait_for_their_turn_spend_nothing_of_a_budget_that_is_over() {
    let endpoint = Endpoint::start([Answer::text("wait()")]);
    let limits = SpendingLimits {
        tokens: Some(30),
        cost: None,
    };
    let budget = Arc::new(Budget::new(limits, None).unwrap());
    let mut options = options(&endpoint);
    options.limits.concurrent = 1.try_into().unwrap();
    let chat = HttpChat::new(options, budget, never());
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| ask(&chat));
        }
    });
    assert_eq!(endpoint.requests().len(), 2);
}

#[test]
fn tries_that_came_to_nothing_are_paid_for_too() {
    let paid = json!({
        "choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 1},
    });
    let endpoint = Endpoint::start([
        Answer::json(&paid),
        Answer::status(500, "oops"),
        Answer::text("wait()"),
    ]);
    let price = Price {
        input: 1e6,
        output: 2e6,
        cached: None,
    };
    let budget = Arc::new(Budget::new(SpendingLimits::default(), Some(price)).unwrap());
    let chat = HttpChat::new(options(&endpoint), Arc::clone(&budget), never());
    let answer = ask(&chat).unwrap();
    let all = Usage {
        input: 17,
        output: 6,
        ..Usage::default()
    };
    assert_eq!((answer.usage, answer.tries), (Some(all), 3));
    let spent = budget.spent();
    assert_eq!((spent.usage, spent.uncounted), (all, 0));
    assert_eq!(spent.cost, Some(29.0));
}

#[test]
fn a_budget_that_is_spent_ends_a_question_that_is_tried_again() {
    let paid = json!({
        "choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 1},
    });
    let endpoint = Endpoint::start([Answer::json(&paid)]);
    let (chat, _) = limited(&endpoint, 8);
    assert!(matches!(ask(&chat), Err(ChatError::Budget(_))));
    assert_eq!(endpoint.requests().len(), 1);
}

#[test]
fn an_answer_within_a_refusal_is_paid_for_without_a_count() {
    let answer = json!({"error": {
        "message": "failed to generate JSON", "code": "json_validate_failed",
        "failed_generation": "I would wait.",
    }});
    let answer = answer.to_string();
    let endpoint = Endpoint::start([Answer::with_status(400, answer)]);
    let (chat, budget) = limited(&endpoint, 1000);
    assert_eq!(ask(&chat).unwrap().text, "I would wait.");
    assert_eq!(budget.spent().uncounted, 1);
    assert!(matches!(ask(&chat), Err(ChatError::Budget(_))));
    assert_eq!(endpoint.requests().len(), 1);
    // What a filter has held back was never generated.
    let filtered = "triggering the content management policy";
    let endpoint = Endpoint::start([Answer::status(400, filtered)]);
    let (chat, budget) = limited(&endpoint, 1000);
    assert!(ask(&chat).is_ok() && ask(&chat).is_ok());
    assert_eq!(budget.spent().uncounted, 0);
}

#[test]
fn answers_that_are_not_counted_are_distinguished_from_those_that_cost_nothing() {
    let endpoint = Endpoint::start([Answer::uncounted("wait()")]);
    let budget = Arc::new(Budget::default());
    let chat = HttpChat::new(options(&endpoint), Arc::clone(&budget), never());
    ask(&chat).unwrap();
    let spent = budget.spent();
    assert_eq!((spent.usage, spent.uncounted), (Usage::default(), 1));
    let (chat, _) = limited(&endpoint, 1000);
    ask(&chat).unwrap();
    assert!(matches!(ask(&chat), Err(ChatError::Budget(_))));
}
