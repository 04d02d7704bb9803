//! Selection of workloads.

use crate::{Error, bench::workload::Workload};

/// Workloads whose name contains one of the words, or all. Large ones need `full` or their whole name.
pub fn choose(workloads: Vec<Workload>, words: &[String], full: bool) -> Result<Vec<Workload>, Error> {
    let runs = |workload: &Workload, word: &str| {
        workload.name.contains(word) && (full || !workload.large || workload.name == word)
    };
    if let Some(word) = words.iter().find(|word| !workloads.iter().any(|workload| runs(workload, word))) {
        let name = |workload: &Workload| {
            if workload.large { format!("{} (with --full)", workload.name) } else { workload.name.clone() }
        };
        let names: Vec<String> = workloads.iter().map(name).collect();
        return Err(Error::Usage(format!("no workload's name contains {word:?}; there are: {}", names.join(", "))));
    }
    let wanted = |workload: &Workload| match words {
        [] => full || !workload.large,
        words => words.iter().any(|word| runs(workload, word)),
    };
    Ok(workloads.into_iter().filter(wanted).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::workload::hanging_cloth;

    fn names(words: &[&str], full: bool) -> Result<Vec<String>, Error> {
        let workloads = vec![hanging_cloth(8), hanging_cloth(16), Workload { large: true, ..hanging_cloth(20) }];
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        Ok(choose(workloads, &words, full)?.into_iter().map(|workload| workload.name).collect())
    }

    #[test]
    fn by_part_of_a_name() {
        assert_eq!(names(&[], false).unwrap(), ["w1-8", "w1-16"]);
        assert_eq!(names(&[], true).unwrap(), ["w1-8", "w1-16", "w1-20"]);
        assert_eq!(names(&["w1"], false).unwrap(), ["w1-8", "w1-16"]);
        assert_eq!(names(&["16", "8"], false).unwrap(), ["w1-8", "w1-16"]);
        assert_eq!(names(&["w1-20"], false).unwrap(), ["w1-20"]);
        assert_eq!(names(&["20"], true).unwrap(), ["w1-20"]);
    }

    #[test]
    fn a_word_that_fits_nothing_is_an_error() {
        for (words, full) in [(&["8", "velvet"][..], true), (&["20"], false)] {
            let message = names(words, full).unwrap_err().to_string();
            assert!(message.contains("w1-8, w1-16, w1-20 (with --full)"), "{message}");
        }
    }
}
