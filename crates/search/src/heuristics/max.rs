//! The greater of two heuristics.

use super::estimate::{Answer, Estimate};
use super::heuristic::Heuristic;
use brigade_task::State;

/// The greater of two estimates, in lexicographic order. It is admissible if both are.
#[derive(Clone, Debug)]
pub struct Max<A, B>(
    /// The first heuristic.
    pub A,
    /// The second one.
    pub B,
);

impl<A: Heuristic, B: Heuristic> Heuristic for Max<A, B> {
    fn estimate(&mut self, state: &State) -> Estimate {
        self.0.estimate(state).max(self.1.estimate(state))
    }

    fn ask(&mut self, state: &State, most: Estimate) -> Answer {
        match self.0.ask(state, most) {
            // Had the second only shown that it is more, all that effort would be made again.
            Answer::Exactly(first) if !self.0.is_cheap() => {
                Answer::Exactly(first.max(self.1.estimate(state)))
            }
            first => first.max(self.1.ask(state, most), most),
        }
    }

    fn bytes(&self) -> usize {
        self.0.bytes() + self.1.bytes()
    }

    fn effort(&self) -> u64 {
        self.0.effort().max(self.1.effort())
    }

    fn is_cheap(&self) -> bool {
        self.0.is_cheap() && self.1.is_cheap()
    }

    fn another(&self) -> Option<Box<dyn Heuristic + Send + '_>> {
        Some(Box::new(Max(self.0.another()?, self.1.another()?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Estimates in makespan: the number in a state, in full or by comparison.
    #[derive(Clone)]
    struct Number {
        by: u64,
        compares: bool,
        asked: u32,
    }

    impl Heuristic for Number {
        fn estimate(&mut self, state: &State) -> Estimate {
            self.asked += 1;
            Estimate {
                makespan: (state.words()[0] / self.by) as u32,
                ..Estimate::ZERO
            }
        }

        fn ask(&mut self, state: &State, most: Estimate) -> Answer {
            let exact = self.estimate(state);
            match self.compares {
                true if exact <= most => Answer::AtMost,
                true => Answer::AtLeast(most),
                false => Answer::Exactly(exact),
            }
        }

        fn bytes(&self) -> usize {
            8
        }

        fn is_cheap(&self) -> bool {
            self.by == 1
        }
    }

    fn number(by: u64, compares: bool) -> Number {
        Number {
            by,
            compares,
            asked: 0,
        }
    }

    fn state(number: &u64) -> &State {
        State::from_words(std::slice::from_ref(number))
    }

    fn ticks(makespan: u32) -> Estimate {
        Estimate {
            makespan,
            ..Estimate::ZERO
        }
    }

    #[test]
    fn the_greater_estimate_counts() {
        let mut both = Max(number(2, false), Some(number(1, false)));
        assert_eq!(both.estimate(state(&7)), ticks(7));
        assert_eq!(both.bytes(), 16);
        let mut one = Max(number(2, false), None::<Number>);
        assert_eq!(one.estimate(state(&7)), ticks(3));
    }

    #[test]
    fn a_comparison_agrees_with_the_greater_estimate() {
        for (first, second) in [(false, false), (false, true), (true, false), (true, true)] {
            for (value, most) in (0..8).flat_map(|it| (0..8).map(move |most| (it, most))) {
                let of = state(&value);
                for by in [1, 2] {
                    let mut both = Max(number(by, first), number(3, second));
                    let exact = both.estimate(of);
                    let about = format!("{first} {second} {value} {most} {by}");
                    match both.ask(of, ticks(most)) {
                        Answer::AtMost => assert!(exact <= ticks(most), "{about}"),
                        Answer::Exactly(bound) => assert_eq!(bound, exact, "{about}"),
                        Answer::AtLeast(bound) => {
                            assert!(exact > ticks(most) && bound <= exact, "{about}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn what_took_long_to_estimate_exactly_is_not_left_open_by_the_other() {
        let mut both = Max(number(2, false), number(1, true));
        assert_eq!(both.ask(state(&9), ticks(5)), Answer::Exactly(ticks(9)));
    }
}
