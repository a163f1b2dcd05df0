//! Problems that grow with a number, as PDDL: always the same text for the same number.

/// A domain and a problem.
#[derive(Debug)]
pub(crate) struct Texts {
    pub(crate) domain: String,
    pub(crate) problem: String,
}

/// The problem `family-number`, such as `gripper-8`; `None` if there is no such family.
pub(crate) fn generate(name: &str) -> Option<Texts> {
    let (family, number) = name.rsplit_once('-')?;
    let number: usize = number.parse().ok()?;
    match family {
        "gripper" => Some(gripper(number)),
        "blocks" => Some(blocks(number)),
        "logistics" => Some(logistics(number)),
        "delivery" => Some(delivery(number)),
        "11-puzzle" => Some(puzzle(3, 4, number)),
        "puzzle" => Some(puzzle(number, number, 10)),
        "breakfast" => Some(breakfast(number)),
        _ => None,
    }
}

/// Numbers that look random, the same on every machine (Marsaglia's xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % limit as u64) as usize
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// A line for each number below a limit.
fn each(limit: usize, line: impl Fn(usize) -> String) -> String {
    (0..limit)
        .map(|index| format!("    {}\n", line(index)))
        .collect()
}

fn texts(domain: &str, name: &str, objects: &str, init: &str, goal: &str) -> Texts {
    Texts {
        domain: format!("(define (domain {name})\n{domain})\n"),
        problem: format!(
            "(define (problem {name}-problem)\n  (:domain {name})\n  (:objects\n{objects})\n  \
             (:init\n{init})\n  (:goal (and\n{goal})))\n"
        ),
    }
}

/// So many balls are carried to the next room by a robot with two hands. With 2n + 2 balls this is
/// gripper n of the first planning competition.
fn gripper(balls: usize) -> Texts {
    let domain = "  (:requirements :strips :typing)
  (:types room ball hand)
  (:predicates (robot ?r - room) (at ?b - ball ?r - room) (free ?h - hand) (holds ?h - hand ?b - ball))
  (:action move
    :parameters (?from ?to - room)
    :precondition (robot ?from)
    :effect (and (robot ?to) (not (robot ?from))))
  (:action pick
    :parameters (?b - ball ?r - room ?h - hand)
    :precondition (and (at ?b ?r) (robot ?r) (free ?h))
    :effect (and (holds ?h ?b) (not (at ?b ?r)) (not (free ?h))))
  (:action drop
    :parameters (?b - ball ?r - room ?h - hand)
    :precondition (and (holds ?h ?b) (robot ?r))
    :effect (and (at ?b ?r) (free ?h) (not (holds ?h ?b))))\n";
    let objects = each(balls, |ball| format!("ball{ball} - ball"));
    let places = each(balls, |ball| format!("(at ball{ball} here)"));
    texts(
        domain,
        "gripper",
        &format!("    here there - room left right - hand\n{objects}"),
        &format!("    (robot here) (free left) (free right)\n{places}"),
        &each(balls, |ball| format!("(at ball{ball} there)")),
    )
}

/// So many blocks, moved by a hand from towers to one other tower.
fn blocks(blocks: usize) -> Texts {
    let domain = "  (:requirements :strips)
  (:predicates (on ?x ?y) (on-table ?x) (clear ?x) (empty) (holding ?x))
  (:action pick-up
    :parameters (?x)
    :precondition (and (clear ?x) (on-table ?x) (empty))
    :effect (and (not (on-table ?x)) (not (clear ?x)) (not (empty)) (holding ?x)))
  (:action put-down
    :parameters (?x)
    :precondition (holding ?x)
    :effect (and (not (holding ?x)) (clear ?x) (empty) (on-table ?x)))
  (:action stack
    :parameters (?x ?y)
    :precondition (and (holding ?x) (clear ?y))
    :effect (and (not (holding ?x)) (not (clear ?y)) (clear ?x) (empty) (on ?x ?y)))
  (:action unstack
    :parameters (?x ?y)
    :precondition (and (on ?x ?y) (clear ?x) (empty))
    :effect (and (holding ?x) (clear ?y) (not (clear ?x)) (not (empty)) (not (on ?x ?y))))\n";
    let mut random = Random(blocks as u64 + 1);
    let mut order: Vec<usize> = (0..blocks).collect();
    random.shuffle(&mut order);
    let mut init = "    (empty)\n".to_owned();
    for (place, block) in order.iter().enumerate() {
        // Towers of four, listed from below.
        if place % 4 == 0 {
            init.push_str(&format!("    (on-table b{block})\n"));
        } else {
            init.push_str(&format!("    (on b{block} b{})\n", order[place - 1]));
        }
        if place % 4 == 3 || place + 1 == blocks {
            init.push_str(&format!("    (clear b{block})\n"));
        }
    }
    random.shuffle(&mut order);
    texts(
        domain,
        "blocks",
        &each(blocks, |block| format!("b{block}")),
        &init,
        &each(blocks.saturating_sub(1), |place| {
            format!("(on b{} b{})", order[place + 1], order[place])
        }),
    )
}

const LOGISTICS: &str = "  (:requirements :strips :typing)
  (:types truck plane - vehicle package vehicle - thing airport - place thing place city - object)
  (:predicates (in-city ?p - place ?c - city) (at ?t - thing ?p - place) (in ?p - package ?v - vehicle))
  (:action drive
    :parameters (?t - truck ?from ?to - place ?c - city)
    :precondition (and (at ?t ?from) (in-city ?from ?c) (in-city ?to ?c))
    :effect (and (not (at ?t ?from)) (at ?t ?to)))
  (:action fly
    :parameters (?t - plane ?from ?to - airport)
    :precondition (at ?t ?from)
    :effect (and (not (at ?t ?from)) (at ?t ?to)))
  (:action load
    :parameters (?p - package ?v - vehicle ?l - place)
    :precondition (and (at ?v ?l) (at ?p ?l))
    :effect (and (not (at ?p ?l)) (in ?p ?v)))
  (:action unload
    :parameters (?p - package ?v - vehicle ?l - place)
    :precondition (and (at ?v ?l) (in ?p ?v))
    :effect (and (at ?p ?l) (not (in ?p ?v))))\n";

/// A logistics problem of some cities, places in each, and packages.
fn transport(cities: usize, places: usize, packages: usize, planes: usize) -> Texts {
    let mut random = Random((cities * 1000 + packages) as u64 + 1);
    let mut objects = String::new();
    let mut init = String::new();
    let mut goal = String::new();
    for city in 0..cities {
        objects.push_str(&format!(
            "    city{city} - city truck{city} - truck p{city}-0 - airport\n"
        ));
        for place in 1..places {
            objects.push_str(&format!("    p{city}-{place} - place\n"));
        }
        for place in 0..places {
            init.push_str(&format!("    (in-city p{city}-{place} city{city})\n"));
        }
        init.push_str(&format!(
            "    (at truck{city} p{city}-{})\n",
            random.below(places)
        ));
    }
    for plane in 0..planes {
        objects.push_str(&format!("    plane{plane} - plane\n"));
        init.push_str(&format!(
            "    (at plane{plane} p{}-0)\n",
            random.below(cities)
        ));
    }
    for package in 0..packages {
        objects.push_str(&format!("    package{package} - package\n"));
        let [from, to] = [0; 2].map(|_| random.below(cities));
        let [here, there] = [0; 2].map(|_| random.below(places));
        init.push_str(&format!("    (at package{package} p{from}-{here})\n"));
        goal.push_str(&format!("    (at package{package} p{to}-{there})\n"));
    }
    texts(LOGISTICS, "logistics", &objects, &init, &goal)
}

/// So many packages among two cities of two places each, with a truck in each city and a plane.
fn logistics(packages: usize) -> Texts {
    transport(2, 2, packages, 1)
}

/// A large logistics problem: so many cities of five places, twice as many packages, four planes.
fn delivery(cities: usize) -> Texts {
    transport(cities, 5, 2 * cities, 4)
}

/// The cells beside a cell of a board, ascending.
pub(crate) fn beside(rows: usize, columns: usize, cell: usize) -> impl Iterator<Item = usize> {
    let (row, column) = (cell / columns, cell % columns);
    let cells = [
        (row > 0).then(|| cell - columns),
        (column > 0).then(|| cell - 1),
        (column + 1 < columns).then(|| cell + 1),
        (row + 1 < rows).then(|| cell + columns),
    ];
    cells.into_iter().flatten()
}

/// Sliding tiles on a board, so many random moves from being in order (never the last one back).
fn puzzle(rows: usize, columns: usize, moves: usize) -> Texts {
    let domain = "  (:requirements :strips :typing)
  (:types tile cell)
  (:predicates (at ?t - tile ?c - cell) (gap ?c - cell) (beside ?c ?d - cell))
  (:action slide
    :parameters (?t - tile ?from ?to - cell)
    :precondition (and (at ?t ?from) (gap ?to) (beside ?from ?to))
    :effect (and (not (at ?t ?from)) (not (gap ?to)) (at ?t ?to) (gap ?from)))\n";
    let cells = rows * columns;
    let beside = |cell: usize| beside(rows, columns, cell);
    // What is in each cell; 0 is the gap.
    let mut board: Vec<usize> = (0..cells).collect();
    let mut random = Random(1);
    let (mut gap, mut last) = (0, cells);
    for _ in 0..moves {
        let next: Vec<usize> = beside(gap).filter(|&cell| cell != last).collect();
        let next = next[random.below(next.len())];
        board.swap(gap, next);
        (gap, last) = (next, gap);
    }
    let mut init = format!("    (gap c{gap})\n");
    for (cell, tile) in board.into_iter().enumerate() {
        for other in beside(cell) {
            init.push_str(&format!("    (beside c{cell} c{other})\n"));
        }
        if tile > 0 {
            init.push_str(&format!("    (at t{tile} c{cell})\n"));
        }
    }
    texts(
        domain,
        "puzzle",
        &each(cells, |cell| match cell {
            0 => "c0 - cell".to_owned(),
            cell => format!("c{cell} - cell t{cell} - tile"),
        }),
        &init,
        &each(cells - 1, |tile| format!("(at t{0} c{0})", tile + 1)),
    )
}

/// So many foods are fetched by a helper, passed over a counter and boiled for three ticks by a
/// chef with two hobs: both act in every tick.
fn breakfast(foods: usize) -> Texts {
    let domain =
        "  (:requirements :typing :negative-preconditions :equality :multi-agent :object-fluents
                 :delayed-effects)
  (:types cook food hob - object)
  (:constants helper chef - cook)
  (:predicates (in-pantry ?x - food) (taken ?h - hob) (boiled ?x - food) (served ?x - food))
  (:functions (held ?c - cook) (on-counter) - food)
  (:turns simultaneous)
  (:action fetch
    :agent ?c - cook
    :parameters (?x - food)
    :precondition (and (= ?c helper) (in-pantry ?x) (= (held ?c) undefined))
    :effect (and (not (in-pantry ?x)) (assign (held ?c) ?x)))
  (:action place
    :agent ?c - cook
    :parameters (?x - food)
    :precondition (and (= (held ?c) ?x) (= (on-counter) undefined))
    :effect (and (assign (on-counter) ?x) (assign (held ?c) undefined)))
  (:action take
    :agent ?c - cook
    :parameters (?x - food)
    :precondition (and (= (on-counter) ?x) (= (held ?c) undefined))
    :effect (and (assign (held ?c) ?x) (assign (on-counter) undefined)))
  (:action boil
    :agent ?c - cook
    :parameters (?x - food ?h - hob)
    :precondition (and (= ?c chef) (= (held ?c) ?x) (not (taken ?h)))
    :effect (and (taken ?h) (assign (held ?c) undefined)
                 (after 3 (and (boiled ?x) (not (taken ?h))))))
  (:action serve
    :agent ?c - cook
    :parameters (?x - food)
    :precondition (and (= ?c chef) (boiled ?x) (not (served ?x)))
    :effect (served ?x))\n";
    texts(
        domain,
        "breakfast",
        &format!(
            "    left right - hob\n{}",
            each(foods, |food| format!("food{food} - food"))
        ),
        &each(foods, |food| format!("(in-pantry food{food})")),
        &each(foods, |food| format!("(served food{food})")),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_without_a_family_or_a_number_generates_nothing() {
        assert!(generate("gripper").is_none());
        assert!(generate("gripper-x").is_none());
        assert!(generate("chess-8").is_none());
    }

    #[test]
    fn a_shuffled_board_holds_each_tile_once() {
        let text = generate("11-puzzle-20").map(|texts| texts.problem);
        let text = text.unwrap_or_default();
        for tile in 1..12 {
            let places = text.matches(&format!("(at t{tile} c")).count();
            assert_eq!(places, 2, "in the initial state and the goal: {text}");
        }
    }
}
