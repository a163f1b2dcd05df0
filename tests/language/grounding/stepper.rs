//! A player of tasks, written from `docs/schema/task.schema.json` and `docs/reference/formats.md` alone: it reads nothing but
//! the JSON. On random episodes of every problem it agrees with the task that was compiled, in what may be chosen,
//! states, costs, totals, labels, and the end.

use brigade::task::effect::Record;
use brigade::task::json::document;
use brigade::task::step::Status;
use brigade::task::{self, OperatorId, PackedTask, TurnMode};
use serde_json::Value as Json;

use crate::grounding::random_domains::Random;
use crate::grounding::schema::each_task;

/// A state: the value of each variable.
type State = Vec<usize>;

/// The task as it is written.
struct Stepper<'j>(&'j Json);

/// The sums of a timestep.
#[derive(Default)]
struct Sums {
    cost: i64,
    totals: Vec<(usize, i64)>,
    labels: Vec<(usize, usize)>,
}

fn list(json: &Json) -> &[Json] {
    json.as_array().unwrap()
}

fn number(json: &Json) -> usize {
    json.as_u64().unwrap() as usize
}

/// The only field of an object that stands for one of several forms, or the text that does.
fn form(json: &Json) -> (&str, &Json) {
    match json.as_object() {
        Some(object) => object
            .iter()
            .next()
            .map(|(name, it)| (&**name, it))
            .unwrap(),
        None => (json.as_str().unwrap(), json),
    }
}

impl<'j> Stepper<'j> {
    fn get(&self, name: &str) -> &'j Json {
        &self.0[name]
    }

    fn holds(&self, cond: &Json, state: &State) -> bool {
        let (name, it) = form(cond);
        match name {
            "true" => true,
            "false" => false,
            "facts" => list(it)
                .iter()
                .all(|fact| state[number(&fact[0])] == number(&fact[1])),
            "not" => !self.holds(it, state),
            "and" => list(it).iter().all(|part| self.holds(part, state)),
            "or" => list(it).iter().any(|part| self.holds(part, state)),
            "same" => {
                let expected = &it["table"][state[number(&it["left"])]];
                expected.as_u64() == Some(state[number(&it["right"])] as u64)
            }
            "compare" => {
                let [left, right] = ["left", "right"].map(|side| self.value(&it[side], state));
                match it["comparison"].as_str().unwrap() {
                    "=" => left == right,
                    "<" => left < right,
                    "<=" => left <= right,
                    ">" => left > right,
                    ">=" => left >= right,
                    other => panic!("{other}"),
                }
            }
            other => panic!("{other}"),
        }
    }

    fn low(&self, variable: usize) -> i64 {
        self.get("variables")[variable]["low"].as_i64().unwrap()
    }

    fn value(&self, expr: &Json, state: &State) -> i64 {
        let (name, it) = form(expr);
        let all = || list(it).iter().map(|part| self.value(part, state));
        match name {
            "constant" => it.as_i64().unwrap(),
            "variable" => self.low(number(it)) + state[number(it)] as i64,
            "table" => it["values"][state[number(&it["variable"])]]
                .as_i64()
                .unwrap(),
            "truth" => i64::from(self.holds(it, state)),
            "add" => all().fold(0, i64::saturating_add),
            "multiply" => all().fold(1, i64::saturating_mul),
            "subtract" => all().reduce(i64::saturating_sub).unwrap(),
            "abs" => self.value(it, state).saturating_abs(),
            "min" => all().min().unwrap_or(0),
            "max" => all().max().unwrap_or(0),
            "case" => {
                let found = list(it).iter().find(|case| self.holds(&case["if"], state));
                found.map_or(0, |case| self.value(&case["then"], state))
            }
            other => panic!("{other}"),
        }
    }

    /// Applies an effect, which reads the state before a block where one is given.
    fn apply(&self, effect: &Json, before: Option<&State>, state: &mut State, sums: &mut Sums) {
        let (name, it) = form(effect);
        let read = before.unwrap_or(state).clone();
        match name {
            "nothing" => {}
            "set" => state[number(&it[0])] = number(&it[1]),
            "clear" => {
                if state[number(&it["if"][0])] == number(&it["if"][1]) {
                    state[number(&it["set"][0])] = number(&it["set"][1]);
                }
            }
            "number" | "increase" => {
                let variable = number(&it["variable"]);
                let stored = if name == "number" {
                    self.value(&it["to"], &read)
                        .saturating_sub(self.low(variable))
                } else {
                    (state[variable] as i64).saturating_add(self.value(&it["by"], &read))
                };
                let last = list(&self.get("variables")[variable]["values"]).len() as i64 - 1;
                state[variable] = stored.clamp(0, last) as usize;
            }
            "copy" => {
                if let Some(value) = it["table"][read[number(&it["from"])]].as_u64() {
                    state[number(&it["variable"])] = value as usize;
                }
            }
            "block" => {
                let kept = (it["snapshot"] == true).then_some(&read);
                for part in list(&it["effects"]) {
                    self.apply(part, before.or(kept), state, sums);
                }
            }
            "seq" => list(it)
                .iter()
                .for_each(|part| self.apply(part, None, state, sums)),
            "when" => {
                if self.holds(&it["if"], &read) {
                    self.apply(&it["then"], before, state, sums);
                }
            }
            "case" => {
                let cases = list(&it["cases"]).iter();
                let mut cases = cases.filter(|case| self.holds(&case["if"], &read));
                let chosen = cases.next().map_or(&it["else"], |case| &case["then"]);
                self.apply(chosen, before, state, sums);
            }
            "switch" => {
                let chosen = &it["effects"][read[number(&it["variable"])]];
                self.apply(chosen, before, state, sums);
            }
            "choose" => {
                let candidates = list(&it["candidates"]).iter();
                let counting = candidates.filter(|one| self.holds(&one["if"], &read));
                let keys = |one: &&Json| -> Vec<i64> {
                    let keys = list(&one["keys"]).iter();
                    keys.map(|key| self.value(key, &read)).collect()
                };
                let chosen = counting.min_by_key(keys);
                let chosen = chosen.map_or(&it["else"], |one| &one["then"]);
                self.apply(chosen, before, state, sums);
            }
            "enlist" => {
                let value = number(it) + 1;
                let places = list(&self.get("live")["places"]).iter().map(number);
                let free = |&place: &usize| state[place] == 0 || state[place] == value;
                if let Some(place) = places.into_iter().find(free) {
                    state[place] = value;
                }
            }
            "log" => sums
                .labels
                .push((number(&it["agent"]), number(&it["label"]))),
            "cost" => sums.cost += self.value(it, &read),
            "total" => {
                let amount = self.value(&it["amount"], &read);
                sums.totals.push((number(&it["total"]), amount));
            }
            other => panic!("{other}"),
        }
    }

    fn derive(&self, state: &mut State) {
        for stratum in list(self.get("axioms")) {
            for variable in list(&stratum["variables"]) {
                state[number(variable)] = 0;
            }
            loop {
                let rules = list(&stratum["rules"]).iter();
                let mut due = rules.filter(|rule| {
                    state[number(&rule["head"])] == 0 && self.holds(&rule["body"], state)
                });
                let Some(rule) = due.next() else { break };
                state[number(&rule["head"])] = 1;
            }
        }
    }

    fn acting(&self, state: &State) -> Vec<usize> {
        match self.get("turn").as_u64() {
            Some(turn) => vec![state[turn as usize]],
            None => (0..list(self.get("agents")).len()).collect(),
        }
    }

    fn legal(&self, agent: usize, state: &State) -> Vec<usize> {
        let own = list(&self.get("agents")[agent]["operators"]).iter();
        let operators = self.get("operators");
        own.map(number)
            .filter(|&operator| self.holds(&operators[operator]["precondition"], state))
            .collect()
    }

    fn act(&self, operator: usize, state: &mut State, sums: &mut Sums) {
        self.apply(
            &self.get("operators")[operator]["effect"],
            None,
            state,
            sums,
        );
        self.derive(state);
    }

    fn tick(&self, state: &mut State, sums: &mut Sums) {
        for phase in list(self.get("tick")) {
            match phase["phase"].as_str().unwrap() {
                "timers" if self.get("live").is_null() => {
                    let before = state.clone();
                    for timer in list(self.get("timers")) {
                        let variable = number(&timer["variable"]);
                        if before[variable] > 0 && state[variable] > 0 {
                            self.advance(timer, state, sums);
                        }
                    }
                }
                "timers" => self.advance_list(state, sums),
                _ => self.apply(&phase["effect"], None, state, sums),
            }
            self.derive(state);
        }
        if let Some(clock) = self.get("clock").as_u64() {
            let last = list(&self.get("variables")[clock as usize]["values"]).len() - 1;
            state[clock as usize] = last.min(state[clock as usize] + 1);
        }
    }

    fn advance(&self, timer: &Json, state: &mut State, sums: &mut Sums) {
        let variable = number(&timer["variable"]);
        if self.holds(&timer["dropped_when"], state) {
            state[variable] = 0;
        } else if timer["every_tick"] == true {
            self.apply(&timer["effect"], None, state, sums);
        } else if self.holds(&timer["runs_while"], state) {
            state[variable] -= 1;
            if state[variable] == 0 {
                self.apply(&timer["effect"], None, state, sums);
            }
        }
        self.derive(state);
    }

    fn advance_list(&self, state: &mut State, sums: &mut Sums) {
        let live = self.get("live");
        let places: Vec<usize> = list(&live["places"]).iter().map(number).collect();
        let mut left = places.iter().take_while(|&&place| state[place] > 0).count();
        let mut at = 0;
        while at < left {
            let timers = list(&live["members"][state[places[at]] - 1]).iter();
            let timers: Vec<&Json> = timers.map(|it| &self.get("timers")[number(it)]).collect();
            for timer in &timers {
                if state[number(&timer["variable"])] > 0 {
                    self.advance(timer, state, sums);
                }
            }
            if state[number(&timers[0]["variable"])] > 0 {
                at += 1;
                continue;
            }
            for place in at..places.len() {
                state[places[place]] = places.get(place + 1).map_or(0, |&next| state[next]);
            }
            left -= 1;
            at += usize::from(live["skips"] == true);
        }
    }

    fn status(&self, state: &State) -> &'static str {
        let clock = self
            .get("clock")
            .as_u64()
            .map(|clock| state[clock as usize] as u64);
        let horizon = self.get("horizon").as_u64();
        let is_late = horizon.is_some_and(|horizon| clock.is_some_and(|clock| clock >= horizon));
        let goal = self.get("goal");
        if self.holds(self.get("fail"), state) {
            "failed"
        } else if !goal.is_null() && self.holds(goal, state) {
            "goal"
        } else if self.holds(self.get("end"), state) || is_late {
            "ended"
        } else {
            "running"
        }
    }
}

fn unpacked(task: &PackedTask, state: &task::State) -> State {
    let variables = task.variables.iter();
    variables
        .map(|variable| variable.get(state) as usize)
        .collect()
}

/// Plays one random episode with both; the number of timesteps.
fn play(name: &str, task: &PackedTask, json: &Json, random: &mut Random) -> usize {
    let stepper = Stepper(json);
    let mut packed = task.initial.clone();
    let initial = list(stepper.get("initial")).iter();
    let mut state: State = initial.map(number).collect();
    for step in 0..STEPS {
        assert_eq!(unpacked(task, &packed), state, "{name}, step {step}");
        let (mut record, mut sums) = (Record::default(), Sums::default());
        let (packed_start, start) = (packed.clone(), state.clone());
        let acting = stepper.acting(&start);
        assert_eq!(
            acting,
            task.acting(&packed_start).collect::<Vec<_>>(),
            "{name}, step {step}"
        );
        for agent in acting {
            let is_at_once = task.turns == TurnMode::Simultaneous;
            let (tested, packed_tested) = if is_at_once {
                (&start, &packed_start)
            } else {
                (&state, &packed)
            };
            let legal = stepper.legal(agent, tested);
            let expected = task.applicable(packed_tested, agent).map(OperatorId::index);
            assert_eq!(legal, expected.collect::<Vec<_>>(), "{name}, step {step}");
            if legal.is_empty() {
                return step;
            }
            let chosen = legal[random.below(legal.len())];
            stepper.act(chosen, &mut state, &mut sums);
            task.act(&mut packed, OperatorId(chosen as u32), &mut record);
        }
        stepper.tick(&mut state, &mut sums);
        task.tick(&mut packed, &mut record);
        assert_eq!(sums.cost, record.cost, "{name}, step {step}");
        let totals = record.totals.iter();
        let totals = totals.map(|(total, amount)| (total.index(), *amount));
        assert_eq!(
            sums.totals,
            totals.collect::<Vec<_>>(),
            "{name}, step {step}"
        );
        let labels = record.log.iter();
        let labels = labels.map(|entry| (usize::from(entry.agent), entry.label.index()));
        assert_eq!(
            sums.labels,
            labels.collect::<Vec<_>>(),
            "{name}, step {step}"
        );
        let status = stepper.status(&state);
        let expected = match task.status(&packed) {
            Status::Running => "running",
            Status::Failed => "failed",
            Status::Goal => "goal",
            Status::Ended => "ended",
        };
        assert_eq!(status, expected, "{name}, step {step}");
        if status != "running" {
            return step + 1;
        }
    }
    STEPS
}

/// The longest episode.
const STEPS: usize = 30;

#[test]
fn a_stepper_written_from_the_documents_plays_every_task_as_it_is_played_here() {
    let mut random = Random(58);
    let (mut steps, mut tasks) = (0, 0);
    each_task(&mut |name, task| {
        let json = serde_json::to_value(document(task)).unwrap();
        for _ in 0..2 {
            steps += play(name, task, &json, &mut random);
        }
        tasks += 1;
    });
    assert!(tasks > 80 && steps > 2000, "{steps} steps of {tasks} tasks");
}
