//! `quadrille solve --prove FILE`: a proof too long for one sitting.
//!
//! The first moves of a game are a tree that is kept in a file; its leaves are
//! given to the solver, so many positions each. One that stays unsolved grows
//! branches of its own. Which leaf is next is told by proof numbers: that which
//! brings the answer nearest. Positions that are images of each other are one.
//!
//! CITE: I-C. Wu et al., Job-level proof-number search, IEEE Transactions on
//! Computational Intelligence and AI in Games 5(1), 2013.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use crate::command::{Failure, spinner};
use crate::journal::Journal;
use crate::search::Limits;
use crate::search::score::Value;
use crate::session::{Session, Unwatched};

/// Stands for what cannot be.
const NEVER: u64 = u64::MAX / 4;

/// What is known of a position of the tree.
#[derive(Clone, Debug, Default)]
struct Node {
    /// The least work that shows that the side to move wins, and that it does
    /// not, in leaves.
    win: u64,
    loss: u64,
    /// The keys of what follows each move, once the solver has given up.
    next: Vec<u64>,
    position: String,
}

impl Node {
    fn leaf(position: String, moves: usize) -> Self {
        Self {
            win: 1,
            loss: moves.max(1) as u64,
            next: Vec::new(),
            position,
        }
    }

    fn decide(&mut self, wins: bool) {
        (self.win, self.loss) = if wins { (0, NEVER) } else { (NEVER, 0) };
    }

    fn winner(&self) -> Option<bool> {
        match (self.win, self.loss) {
            (0, _) => Some(true),
            (_, 0) => Some(false),
            _ => None,
        }
    }
}

/// How a sitting is limited.
pub(crate) struct Sitting {
    /// Positions the solver enters for one leaf.
    pub(crate) leaf_nodes: u64,
    /// When it began: the time it takes to read the file is part of it.
    pub(crate) start: Instant,
    /// How long it lasts; for ever if nothing is said.
    pub(crate) time: Option<Duration>,
}

impl Sitting {
    /// What is left of the time.
    fn left(&self) -> Option<Duration> {
        self.time
            .map(|time| time.saturating_sub(self.start.elapsed()))
    }
}

/// The tree with its file.
pub(crate) struct Proof<'a> {
    session: &'a mut dyn Session,
    nodes: HashMap<u64, Node>,
    root: u64,
    journal: Journal,
    path: PathBuf,
    searched: u64,
}

fn refused(path: &Path, what: impl std::fmt::Display) -> Failure {
    Failure::Refused(format!("{}: {what}", path.display()))
}

impl<'a> Proof<'a> {
    /// Takes up the proof of the session's position in a file, or begins it.
    ///
    /// # Errors
    /// If the file cannot be read or written, or is of another position.
    pub(crate) fn open(session: &'a mut dyn Session, path: &Path) -> Result<Self, Failure> {
        let position = session.position();
        let name = session.variant().name;
        let heading = format!("quadrille-proof 1 {name} {position}");
        let (journal, text) = Journal::open(path).map_err(|error| refused(path, error))?;
        let root = session.canonical_key();
        let moves = session.legal_moves().len();
        let mut proof = Self {
            session,
            nodes: HashMap::from([(root, Node::leaf(position, moves))]),
            root,
            journal,
            path: path.to_path_buf(),
            searched: 0,
        };
        proof.read(&text, &heading)?;
        proof.update();
        Ok(proof)
    }

    /// Takes in what the file holds, or gives it its heading.
    fn read(&mut self, text: &str, heading: &str) -> Result<(), Failure> {
        let mut lines = text.lines().enumerate();
        match lines.next() {
            None => return self.write(heading),
            Some((_, line)) if line != heading => {
                let what = format!("begins with `{line}`, not `{heading}`");
                return Err(refused(&self.path, what));
            }
            Some(_) => {}
        }
        for (index, line) in lines {
            if self.take(line).is_none() {
                let what = format!(
                    "line {}: `{line}` is no `win|loss|open NODES POSITION`",
                    index + 1
                );
                return Err(refused(&self.path, what));
            }
        }
        Ok(())
    }

    fn write(&mut self, line: &str) -> Result<(), Failure> {
        let written = self.journal.push(line);
        written.map_err(|error| refused(&self.path, error))
    }

    /// Takes in a line `win|loss|open NODES POSITION` of the file.
    fn take(&mut self, line: &str) -> Option<()> {
        let mut words = line.splitn(3, ' ');
        let (result, searched, position) = (words.next()?, words.next()?, words.next()?);
        self.searched += searched.parse::<u64>().ok()?;
        self.session.set_position(position).ok()?;
        let key = self.session.canonical_key();
        match result {
            "win" | "loss" => {
                let moves = self.session.legal_moves().len();
                let leaf = Node::leaf(position.to_string(), moves);
                self.nodes
                    .entry(key)
                    .or_insert(leaf)
                    .decide(result == "win");
            }
            "open" => self.grow(key, position),
            _ => return None,
        }
        Some(())
    }

    /// Puts what follows a position into the tree.
    fn grow(&mut self, key: u64, position: &str) {
        let mut next = Vec::new();
        // The file was written by this program: it can be set up.
        if self.session.set_position(position).is_err() {
            return;
        }
        for mv in self.session.legal_moves() {
            let side = self.session.side_to_move();
            if self.session.play(side, &mv).is_err() {
                continue;
            }
            let after = self.session.canonical_key();
            next.push(after);
            let moves = self.session.legal_moves().len();
            let text = self.session.position();
            let node = self
                .nodes
                .entry(after)
                .or_insert_with(|| Node::leaf(text, moves));
            if moves == 0 {
                node.decide(false);
            }
            self.session.undo();
        }
        next.sort_unstable();
        next.dedup();
        let moves = next.len();
        let node = self
            .nodes
            .entry(key)
            .or_insert_with(|| Node::leaf(position.to_string(), moves));
        node.next = next;
    }

    /// Works until the proof is complete or the time is over; who wins, if
    /// that is known.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn work(&mut self, sitting: &Sitting) -> Result<Option<bool>, Failure> {
        let bar = spinner();
        let mut teller = Teller::new(&bar);
        while self.winner().is_none() {
            let left = sitting.left();
            if left.is_some_and(|left| left.is_zero()) {
                break;
            }
            teller.tell(|| self.summary());
            let path = self.path_to_leaf();
            let Some(&leaf) = path.last() else { break };
            if !self.settle(leaf, sitting.leaf_nodes, left)? {
                break;
            }
            for &key in path.iter().rev() {
                self.recount(key);
            }
        }
        bar.finish_and_clear();
        Ok(self.winner())
    }

    /// Gives a leaf to the solver; false if the time came first.
    fn settle(&mut self, leaf: u64, nodes: u64, time: Option<Duration>) -> Result<bool, Failure> {
        let position = self.nodes[&leaf].position.clone();
        self.session
            .set_position(&position)
            .map_err(Failure::Refused)?;
        let limits = Limits {
            nodes: Some(nodes),
            time,
            outcome_only: true,
            start: Instant::now(),
            ..Limits::default()
        };
        let solution = self.session.solve(false, &limits, &Unwatched);
        let (result, searched) = match &solution {
            Some(solution) => match solution.value {
                Value::Win(_) => ("win", solution.nodes),
                // A draw is no win; for the other side neither, but nobody
                // asks for both.
                _ => ("loss", solution.nodes),
            },
            None if time.is_some_and(|time| limits.start.elapsed() >= time) => return Ok(false),
            None => ("open", nodes),
        };
        self.write(&format!("{result} {searched} {position}"))?;
        self.searched += searched;
        if solution.is_none() {
            self.grow(leaf, &position);
        } else if let Some(node) = self.nodes.get_mut(&leaf) {
            node.decide(result == "win");
        }
        Ok(true)
    }

    fn winner(&self) -> Option<bool> {
        self.nodes[&self.root].winner()
    }

    /// From the root to the leaf that brings the answer nearest.
    fn path_to_leaf(&self) -> Vec<u64> {
        let mut path = vec![self.root];
        let mut key = self.root;
        while let Some(&next) = self.nodes[&key]
            .next
            .iter()
            .min_by_key(|next| self.nodes[next].loss)
        {
            path.push(next);
            key = next;
        }
        path
    }

    /// Both numbers of a node from those of what follows.
    fn recount(&mut self, key: u64) {
        let node = &self.nodes[&key];
        if node.next.is_empty() || node.winner().is_some() {
            return;
        }
        let numbers = node.next.iter().map(|next| &self.nodes[next]);
        let win = numbers.clone().map(|next| next.loss).min().unwrap_or(NEVER);
        let loss = numbers
            .fold(0_u64, |sum, next| sum.saturating_add(next.win))
            .min(NEVER);
        if let Some(node) = self.nodes.get_mut(&key) {
            match (win, loss) {
                (0, _) => node.decide(true),
                (_, 0) | (NEVER, _) => node.decide(false),
                _ => (node.win, node.loss) = (win, loss),
            }
        }
    }

    /// Recounts everything below the root, what follows a position before it.
    fn update(&mut self) {
        let mut seen = HashSet::new();
        // Each position twice: before what follows it, and after.
        let mut waiting = vec![(self.root, false)];
        while let Some((key, counted)) = waiting.pop() {
            if counted {
                self.recount(key);
            } else if seen.insert(key) {
                waiting.push((key, true));
                waiting.extend(self.nodes[&key].next.iter().map(|&next| (next, false)));
            }
        }
    }

    /// How far it is, in one line.
    pub(crate) fn summary(&self) -> String {
        let decided = self
            .nodes
            .values()
            .filter(|node| node.winner().is_some())
            .count();
        let root = &self.nodes[&self.root];
        let moves = root.next.iter().map(|next| self.nodes[next].winner());
        let lost = moves.clone().filter(|&winner| winner == Some(true)).count();
        format!(
            "{} positions in the tree, {decided} decided, {} searched; of {} first moves {lost} \
             are refuted; proof numbers {} to win, {} to lose",
            self.nodes.len(),
            self.searched,
            root.next.len(),
            root.win,
            root.loss
        )
    }
}

/// Says now and then how far the work is: on a terminal, or else in the log.
struct Teller<'a> {
    bar: &'a ProgressBar,
    told: Option<Instant>,
}

impl<'a> Teller<'a> {
    /// To count a large tree takes a moment.
    const ON_TERMINAL: Duration = Duration::from_secs(2);
    const IN_LOG: Duration = Duration::from_secs(30);

    fn new(bar: &'a ProgressBar) -> Self {
        // The log has nothing to say at the beginning.
        let told = bar.is_hidden().then(Instant::now);
        Self { bar, told }
    }

    fn tell(&mut self, what: impl FnOnce() -> String) {
        let every = if self.bar.is_hidden() {
            Self::IN_LOG
        } else {
            Self::ON_TERMINAL
        };
        if self.told.is_some_and(|told| told.elapsed() < every) {
            return;
        }
        self.told = Some(Instant::now());
        if self.bar.is_hidden() {
            log::info!("{}", what());
        } else {
            self.bar.set_message(what());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games;
    use crate::search::Settings;

    fn small(name: &str) -> (Box<dyn Session>, std::path::PathBuf) {
        let mut session = games::find("tiles")
            .expect("a game")
            .open(&Settings::default())
            .expect("memory");
        session.set_position("o-x/---/x-o x").expect("a position");
        let file = format!("quadrille-{}-{name}", std::process::id());
        (session, std::env::temp_dir().join(file))
    }

    #[test]
    fn a_proof_is_taken_up_where_it_was_left() {
        let (mut session, path) = small("proof");
        let sitting = Sitting {
            leaf_nodes: 20,
            start: Instant::now(),
            time: None,
        };
        let mut proof = Proof::open(session.as_mut(), &path).expect("a new file");
        // The first leaf is the root, which so few positions do not solve.
        let root = proof.root;
        assert_eq!(proof.settle(root, 20, None).ok(), Some(true));
        assert_eq!(proof.winner(), None);
        drop(proof);
        session.set_position("o-x/---/x-o x").expect("a position");
        let mut proof = Proof::open(session.as_mut(), &path).expect("the same file");
        assert_eq!(
            proof.nodes[&proof.root].next.len(),
            7,
            "26 turns, of most of them four images"
        );
        assert_eq!(proof.work(&sitting).ok(), Some(Some(true)));
        let searched = proof.searched;
        drop(proof);
        session.set_position("o-x/---/x-o x").expect("a position");
        let proof = Proof::open(session.as_mut(), &path).expect("the same file");
        assert_eq!(proof.winner(), Some(true));
        assert_eq!(proof.searched, searched);
        drop(proof);
        session.set_position("o-x/---/x-o o").expect("a position");
        assert!(
            Proof::open(session.as_mut(), &path).is_err(),
            "another position"
        );
        std::fs::remove_file(&path).expect("was written");
    }
}
