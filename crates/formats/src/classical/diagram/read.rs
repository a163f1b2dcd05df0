//! The paths of a diagram, as cubes of values.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::{Cube, Diagram, Space};

/// Where a node leads, and by which values.
type Way = (Diagram, Rc<[u32]>);

impl Space {
    /// The number of its paths, as far as it is less than `most`.
    pub(in crate::classical) fn paths(&self, diagram: Diagram, most: usize) -> usize {
        self.paths_below(diagram, most, &mut FxHashMap::default())
    }

    fn paths_below(
        &self,
        diagram: Diagram,
        most: usize,
        known: &mut FxHashMap<Diagram, usize>,
    ) -> usize {
        match diagram {
            Diagram::FALSE => return 0,
            Diagram::TRUE => return 1,
            _ => {}
        }
        if let Some(&paths) = known.get(&diagram) {
            return paths;
        }
        let mut to: Vec<Diagram> = self.node(diagram).runs.iter().map(|run| run.to).collect();
        to.sort_unstable();
        to.dedup();
        let mut sum: usize = 0;
        for next in to {
            sum = sum
                .saturating_add(self.paths_below(next, most, known))
                .min(most);
        }
        known.insert(diagram, sum);
        sum
    }

    /// Its paths: conjunctions that exclude each other, of which one holds where it does.
    pub(in crate::classical) fn cubes(&self, diagram: Diagram) -> Vec<Cube> {
        let mut cubes = Vec::new();
        let mut open = vec![(diagram, Cube::new())];
        while let Some((diagram, cube)) = open.pop() {
            match diagram {
                Diagram::FALSE => continue,
                Diagram::TRUE => {
                    cubes.push(cube);
                    continue;
                }
                _ => {}
            }
            let (variable, ways) = self.ways(diagram);
            for (to, values) in ways.into_iter().rev() {
                let mut cube = cube.clone();
                cube.push((variable, values));
                open.push((to, cube));
            }
        }
        cubes
    }

    /// Where a node leads that is no constant, and by which values, in the order of their first.
    fn ways(&self, diagram: Diagram) -> (u32, Vec<Way>) {
        let node = self.node(diagram);
        let mut ways: Vec<(Diagram, Vec<u32>)> = Vec::new();
        let mut start = 0;
        for run in node.runs.iter() {
            let values = start..run.end;
            start = run.end;
            match ways.iter_mut().find(|(to, _)| *to == run.to) {
                Some((_, known)) => known.extend(values),
                None if run.to == Diagram::FALSE => {}
                None => ways.push((run.to, values.collect())),
            }
        }
        let ways = ways.into_iter();
        let ways = ways.map(|(to, values)| (to, values.into()));
        (node.variable, ways.collect())
    }

    /// The value for which it holds, of a node of this variable that holds for one only.
    pub(in crate::classical) fn only_value(&self, diagram: Diagram, variable: u32) -> Option<u32> {
        if self.variable(diagram) != variable {
            return None;
        }
        match &self.ways(diagram).1[..] {
            [(Diagram::TRUE, values)] if values.len() == 1 => Some(values[0]),
            _ => None,
        }
    }

    /// The beginnings of its paths, and where they lead: to nodes of the variable `last`, or after
    /// `few` beginnings to others.
    pub(in crate::classical) fn beginnings(
        &self,
        diagram: Diagram,
        last: u32,
        few: usize,
    ) -> Vec<(Cube, Diagram)> {
        let mut found = vec![(Cube::new(), diagram)];
        let mut is_first = true;
        loop {
            let open = (0..found.len()).min_by_key(|&index| self.variable(found[index].1));
            let Some(open) = open.filter(|&open| self.variable(found[open].1) < last) else {
                return found;
            };
            let (variable, ways) = self.ways(found[open].1);
            if !is_first && found.len() + ways.len() > few + 1 {
                return found;
            }
            is_first = false;
            let (cube, _) = found.remove(open);
            for (to, values) in ways {
                let mut cube = cube.clone();
                cube.push((variable, values));
                found.push((cube, to));
            }
        }
    }
}
