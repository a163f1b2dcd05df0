//! Each option on small episodes of our own, which need no recorded data.

use brigade::score::collaboration::Collaboration;
use brigade::score::options::{
    Openers, RepeatedRequests, ResponsePlan, ShareOf, SilentDialogs, UnknownActions,
};
use brigade::score::recorded::differences;
use brigade::score::tes::{Beta, MatchCounts, Matching};
use brigade::score::upstream::{PUBLISHED_GAMMA, published_time};
use brigade::score::{Fraction, Options, Report, ScoreError, TaskContext, score_episode};

use crate::score::{Small, TOLERANCE, snapshot};

fn rendered(table: &brigade::score::table::Table) -> String {
    let names: Vec<&str> = table.columns.iter().map(|column| column.name).collect();
    let mut lines = vec![names.join(" | ")];
    lines.extend(table.rows.iter().map(|row| row.join(" | ")));
    lines.join("\n")
}

#[test]
fn a_report_holds_every_score_of_the_small_episodes_under_every_rule() {
    let small = Small::new();
    for options in [Options::upstream(), Options::paper(), Options::brigade()] {
        let report = Report::new(options.clone(), small.score(&options));
        snapshot(&format!("report_{}", options.rule), &report);
        let tables = [
            report.episode_table(),
            report.task_table(),
            report.level_table().unwrap(),
        ];
        snapshot(
            &format!("tables_{}", options.rule),
            &tables.iter().map(rendered).collect::<Vec<_>>(),
        );
    }
}

#[test]
fn columns_that_no_episode_has_anything_to_say_in_are_left_out() {
    let mut episodes = Small::new().score(&Options::brigade());
    for episode in &mut episodes {
        episode.level = 0;
        episode.collaboration = Collaboration::default();
    }
    let report = Report::new(Options::brigade(), episodes);
    let names = |table: brigade::score::table::Table| {
        let names = table.columns.into_iter().map(|column| column.name);
        names.collect::<Vec<_>>()
    };
    assert_eq!(
        names(report.episode_table()),
        ["episode", "task", "done", "last tick", "TES by agent", "PC"]
    );
    assert_eq!(
        names(report.task_table()),
        ["task", "runs", "SR", "mean last tick", "TES by agent", "PC"]
    );
    assert_eq!(report.level_table(), None);
}

#[test]
fn unknown_actions_cost_nothing_where_they_are_dropped_and_precision_where_they_stay() {
    let small = Small::new();
    let dropped = Options::upstream();
    let kept = Options::upstream().with_unknown_actions(UnknownActions::Keep);
    let clumsy = |options: &Options| small.score(options)[1].agents[0].clone();
    assert_eq!(
        (clumsy(&dropped).counts.history, clumsy(&dropped).dropped),
        (5, 1)
    );
    assert_eq!(
        (clumsy(&kept).counts.history, clumsy(&kept).dropped),
        (6, 0)
    );
    assert!(clumsy(&kept).tes < clumsy(&dropped).tes);
}

#[test]
fn the_time_limit_is_the_floor_and_a_late_episode_loses_what_it_did_from_there_on() {
    let small = Small::new();
    let limited = Options::upstream().with_gamma(PUBLISHED_GAMMA);
    let scores = small.score(&limited);
    let limit = |index: usize| scores[index].time_limit.unwrap();
    assert_eq!(
        (limit(0).limit, limit(0).missed, scores[0].success),
        (22, false, Some(true))
    );
    assert_eq!((limit(1).missed, scores[1].success), (true, Some(false)));
    // Stamps 29 and 30 are gone, and so is the Assistant's late dish.
    assert_eq!(scores[1].agents[0].counts.matched, 3);
    assert_eq!(scores[1].agents[1].counts.history, 2);

    // The last step may have the limit's own index.
    let on_time = TaskContext {
        reference_time: Some(20),
        ..small.task()
    };
    let score = score_episode(&small.episodes[1], &on_time, &limited).unwrap();
    assert!(score.success == Some(true) && !score.time_limit.unwrap().missed);

    let published = [24, 34, 52, 48, 82, 96];
    let limits =
        (1..=6).map(|level| PUBLISHED_GAMMA.floor_of_product(published_time(level).unwrap()));
    assert!(limits.eq(published));
    assert_eq!((published_time(0), published_time(7)), (None, None));
}

#[test]
fn a_late_action_at_the_limit_itself_is_cut() {
    let small = Small::new();
    let cut = small.episodes[1].cut_at(29);
    assert_eq!(cut.total_action_list[0].len(), 4);
    assert!(cut.total_order_finished.is_empty());
}

#[test]
fn a_dialog_opened_by_the_assistant_counts_only_where_any_opener_does() {
    let small = Small::new();
    let mut options = Options::upstream();
    assert_eq!(small.score(&options)[1].collaboration.events.len(), 2);
    options = options.with_openers(Openers::Any);
    let events = small.score(&options)[1].collaboration.events.clone();
    assert_eq!(
        (events.len(), events[2].begin_agent, events[2].responder),
        (3, 1, 0)
    );
    assert!(events[2].c1 > 0.0);
}

#[test]
fn a_request_made_twice_succeeds_less_and_one_that_asks_for_nothing_fails() {
    let small = Small::new();
    let mut options = Options::upstream();
    let events = small.score(&options)[1].collaboration.events.clone();
    // Double quotes are no request under the published rule, and a wait is no answer.
    assert!(events[0].request.is_empty() && events[0].response.is_empty());
    assert_eq!(events[0].code, 3);
    assert_eq!(events[1].request.len(), 2);
    assert!(
        (events[1].c1 - 0.152_815_2).abs() < 1e-7,
        "{}",
        events[1].c1
    );
    assert!(
        (events[1].c3 - 0.344_530_5).abs() < 1e-7,
        "{}",
        events[1].c3
    );
    assert!(events[1].request_ites[0] > 0.0 && events[1].request_ites[1] < 0.0);

    options = options.with_repeated_requests(RepeatedRequests::Once);
    let once = &small.score(&options)[1].collaboration.events[1];
    assert!((once.c1 - once.c3).abs() < TOLERANCE && once.c2.abs() < TOLERANCE);
    options = options.with_response_plan(ResponsePlan::Last);
    assert_eq!(
        small.score(&options)[1].collaboration.events[1].response,
        once.response
    );
}

#[test]
fn ic_and_rc_are_shares_of_dialogs_of_actions_or_of_required_actions() {
    let small = Small::new();
    let tally = |share_of: ShareOf, episode: usize| {
        let options = Options::upstream().with_share_of(share_of);
        let tally = small.score(&options)[episode].collaboration.tally;
        [
            tally.initiated,
            tally.initiations,
            tally.responded,
            tally.responses,
        ]
    };
    assert_eq!(tally(ShareOf::Dialogs, 0), [1, 1, 1, 1]);
    assert_eq!(tally(ShareOf::Actions, 0), [2, 2, 2, 2]);
    assert_eq!(tally(ShareOf::RequiredActions, 0), [2, 2, 2, 2]);
    assert_eq!(tally(ShareOf::Dialogs, 1), [1, 2, 1, 2]);
    assert_eq!(tally(ShareOf::Actions, 1), [1, 2, 1, 1]);
    assert_eq!(tally(ShareOf::RequiredActions, 1), [1, 2, 1, 2]);
    assert_eq!(tally(ShareOf::Dialogs, 2), [0, 0, 0, 0]);
}

#[test]
fn a_required_action_that_is_asked_for_again_counts_once() {
    let small = Small::new();
    let mut episode = small.episodes[0].clone();
    let mut again = episode.dialogs[0].clone();
    again.timestamp = 1;
    episode.dialogs.push(again);
    let tally = |share_of: ShareOf| {
        let options = Options::upstream().with_share_of(share_of);
        score_episode(&episode, &small.task(), &options)
            .unwrap()
            .collaboration
    };
    assert_eq!(tally(ShareOf::Dialogs).tally.initiated, 2);
    assert_eq!(tally(ShareOf::RequiredActions).tally.initiated, 2);
    assert!((tally(ShareOf::RequiredActions).ic - 1.0).abs() < TOLERANCE);
}

#[test]
fn silent_dialogs_are_rejected_or_skipped() {
    let small = Small::new();
    let mut episode = small.episodes[0].clone();
    episode.dialogs[0].turns[0].say = "[NOTHING]".to_owned();
    let mut options = Options::upstream();
    let error = score_episode(&episode, &small.task(), &options).unwrap_err();
    assert_eq!(error, ScoreError::SilentDialog { timestamp: 0 });
    options = options.with_silent_dialogs(SilentDialogs::Skip);
    let score = score_episode(&episode, &small.task(), &options).unwrap();
    assert_eq!(score.collaboration.events.len(), 0);
}

#[test]
fn the_text_of_the_paper_scores_what_follows_a_missed_action_and_its_equation_does_not() {
    let small = Small::new();
    let mut episode = small.episodes[0].clone();
    episode.total_action_list[0].remove(0);
    let recall = |matching: Matching| {
        let options = Options::upstream().with_matching(matching);
        score_episode(&episode, &small.task(), &options)
            .unwrap()
            .agents[0]
            .recall
    };
    assert!(recall(Matching::Prefix).abs() < TOLERANCE);
    assert!((recall(Matching::CommonSubsequence) - 0.8).abs() < TOLERANCE);
}

#[test]
fn beta_weighs_precision() {
    let wordy = MatchCounts {
        matched: 2,
        reference: 2,
        history: 4,
    };
    let tes = |text: &str| wordy.exact(Beta::new(text.parse::<Fraction>().unwrap()).unwrap());
    assert_eq!(tes("0.95"), Fraction::new(761, 1122).unwrap());
    assert_eq!(tes("1"), Fraction::new(2, 3).unwrap());
    // β² stands at n, so that a larger β makes the redundant half cost more.
    assert!(tes("2") < tes("1") && tes("1") < tes("1/2"));
}

#[test]
fn a_published_score_that_is_not_reproduced_is_named() {
    let small = Small::new();
    let options = Options::upstream().with_matching(Matching::CommonSubsequence);
    let score = &small.score(&options)[0];
    let published: brigade::score::recorded::RecordedScores = serde_json::from_value(
        serde_json::json!({
            "success": false, "tes": [0.5], "recall": [1.0, 1.0], "precision": [1.0, 1.0],
            "ic": 1.0, "rc": 1.0, "n_events": 1,
            "events": [{"begin_agent": 0, "H": ["x"], "R": [], "R_hat": [], "c1": 0.25, "c2": 0.0, "c3": 1.0}],
        }),
    )
    .unwrap();
    snapshot("differences", &differences(score, &published, TOLERANCE));
}
