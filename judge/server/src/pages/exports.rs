//! Files of a scoreboard to download: CSV, and the final results for the ICPC.

use super::board::{logo_file, static_table};
use super::board_query;
use super::contest::{freeze_notice, not_final_notice};
use super::parts::date_of;
use crate::contest_api::RelTime;
use crate::contest_view::{Honour, Standing, View, standings};
use crate::http::{App, Caller, Fields, Result, conflict, internal, not_found, saved_as, zip};
use crate::layout;
use crate::store::{Organization, Scoring, Team};
use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use maud::html;

/// `GET /contests/{contest}/scoreboard.csv`: the board as the viewer sees it, with the filter of its page.
pub fn csv(
    app: &App,
    (caller, Path(ext), fields): (Caller, Path<String>, Fields),
) -> Result<Response> {
    let view = View::open(app, caller.viewer, &ext)?;
    let board = view.board()?;
    let filter = board_query::filter(&view, &fields)?;
    let is_icpc = view.contest.scoring == Scoring::Icpc;
    let mut head = vec!["rank", "team", "name", "organization"];
    head.extend(if is_icpc {
        ["solved", "time"].as_slice()
    } else {
        &["points"]
    });
    let mut head: Vec<String> = head.into_iter().map(str::to_owned).collect();
    for problem in board.problems.iter() {
        head.push(problem.label.clone());
        head.push(format!("{} tries", problem.label));
    }
    let mut lines = vec![head];
    for row in board.filtered(&filter).iter() {
        let team: &Team = &board.teams[row.team];
        let organization = board.organization_of(team);
        let mut line = vec![
            row.rank.to_string(),
            team.ext.clone(),
            team.shown_name().to_owned(),
            organization.map_or_else(String::new, |own| own.name.clone()),
        ];
        match is_icpc {
            true => line.extend([row.solved.to_string(), row.total_time.minutes().to_string()]),
            false => line.push(row.score.to_string()),
        }
        for cell in row.cells.iter().take(board.problems.len()) {
            let minutes = cell.time.map(|time| time.minutes().to_string());
            line.push(match is_icpc {
                true => minutes.filter(|_| cell.solved).unwrap_or_default(),
                false => cell.score.to_string(),
            });
            line.push((cell.judged + cell.pending).to_string());
        }
        lines.push(line);
    }
    let text: String = lines.iter().map(|line| csv_line(line)).collect();
    Ok(download("text/csv; charset=utf-8", "scoreboard.csv", text))
}

/// `GET /contests/{contest}/scoreboard.zip`: the board as a page that needs no server, with its style sheet and the logos.
pub fn archive(
    app: &App,
    (caller, Path(ext), fields): (Caller, Path<String>, Fields),
) -> Result<Response> {
    let view = View::open(app, caller.viewer, &ext)?;
    let board = view.board()?;
    let filter = board_query::filter(&view, &fields)?;
    let contest = &view.contest;
    let name = contest.formal_name.as_ref().unwrap_or(&contest.name);
    let body = html! {
        (freeze_notice(&view))
        (not_final_notice(&view))
        (static_table(&board, &filter))
        p.quiet { "As of " (date_of(&view.contest, view.now_ms)) }
    };
    let page = layout::static_page(&format!("Scoreboard of {name}"), &body);
    let mut files = vec![
        ("index.html".to_owned(), page.into_string().into_bytes()),
        (
            "style.css".to_owned(),
            layout::STYLE.content.as_bytes().to_vec(),
        ),
    ];
    let used = |own: &&Organization| {
        board
            .rows
            .iter()
            .any(|row| board.teams[row.team].organization == Some(own.id))
    };
    for own in board.organizations.iter().filter(used) {
        if let (Some(name), Some(logo)) = (logo_file(own), &own.logo) {
            files.push((name, app.blobs.get(&logo.blob)?));
        }
    }
    let archive = zip(&files).map_err(internal)?;
    Ok(download("application/zip", "scoreboard.zip", archive))
}

/// The first characters of a text that a spreadsheet computes, some in East Asian settings only.
const FORMULA: [char; 10] = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'];

/// A line in which texts with signs of the format are quoted. A text that a spreadsheet would compute begins with `'`.
fn csv_line(cells: &[String]) -> String {
    let cell = |text: &String| {
        let is_formula = text.starts_with(FORMULA) && text.parse::<f64>().is_err();
        let text = if is_formula {
            format!("'{text}")
        } else {
            text.clone()
        };
        match text.contains(['"', ',', '\n', '\r']) {
            true => format!("\"{}\"", text.replace('"', "\"\"")),
            false => text,
        }
    };
    let cells: Vec<String> = cells.iter().map(cell).collect();
    cells.join(",") + "\r\n"
}

/// `GET /contests/{contest}/results.tsv`: the final results for the ICPC.
pub fn results(app: &App, (caller, Path(ext)): (Caller, Path<String>)) -> Result<Response> {
    let view = View::open(app, caller.viewer, &ext)?;
    let lines = final_results(&view)?.into_iter();
    let lines = lines.map(|line| line.join("\t") + "\n");
    let text = format!("results\t1\n{}", lines.collect::<String>());
    let mime = "text/tab-separated-values; charset=utf-8";
    Ok(download(mime, "results.tsv", text))
}

/// The columns of the form in which icpc.global takes standings.
const STANDINGS: &str =
    "teamId,rank,medalCitation,problemsSolved,totalTime,lastProblemTime,siteCitation,citation\r\n";

/// `GET /contests/{contest}/standings.csv`: the same as icpc.global takes them.
pub fn standings_form(app: &App, (caller, Path(ext)): (Caller, Path<String>)) -> Result<Response> {
    let view = View::open(app, caller.viewer, &ext)?;
    let lines = final_results(&view)?.into_iter();
    // The last column, another citation, is empty.
    let lines = lines.map(|line| csv_line(&[line.as_slice(), &[String::new()]].concat()));
    let text = format!("{STANDINGS}{}", lines.collect::<String>());
    Ok(download("text/csv; charset=utf-8", "standings.csv", text))
}

/// A line for each team: its id of the ICPC, or else its own, rank, award, solved problems, time, time of the last solved problem, groups that it leads.
/// Fails for a contest that is scored by points, and before the viewer sees all results.
fn final_results(view: &View<'_>) -> Result<Vec<[String; 7]>> {
    if view.contest.scoring != Scoring::Icpc {
        let what = "a contest that is scored by points has no results for the ICPC";
        return Err(not_found(what));
    }
    if !view.is_complete() {
        return Err(conflict(
            "the contest is not over, or its results are not shown yet",
        ));
    }
    let board = view.official_board()?;
    let leaders = view.group_leaders(&board)?;
    let line = |own: Standing<'_>| {
        let honour = match own.honour {
            Honour::Gold => "Gold Medal",
            Honour::Silver => "Silver Medal",
            Honour::Bronze => "Bronze Medal",
            Honour::Ranked => "Ranked",
            Honour::Mention => "Honorable",
        };
        let groups = leaders.iter().filter(|(team, _)| *team == own.row.team);
        let groups: Vec<&str> = groups.map(|(_, name)| name.as_str()).collect();
        [
            board.teams[own.row.team].id_for_icpc().to_owned(),
            own.rank.map_or_else(String::new, |rank| rank.to_string()),
            honour.to_owned(),
            own.row.solved.to_string(),
            own.row.total_time.minutes().to_string(),
            own.row.last.map_or(0, RelTime::minutes).to_string(),
            groups.join(", "),
        ]
    };
    let all = standings(&board.rows, view.contest.more_bronze);
    Ok(all.into_iter().map(line).collect())
}

fn download(mime: &'static str, name: &str, content: impl IntoResponse) -> Response {
    (saved_as(mime, name), content).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_stay_texts_in_a_spreadsheet() {
        let line = |cells: &[&str]| {
            let cells: Vec<String> = cells.iter().map(|&cell| cell.to_owned()).collect();
            csv_line(&cells)
        };
        assert_eq!(line(&["1", "-5", "a, \"b\""]), "1,-5,\"a, \"\"b\"\"\"\r\n");
        assert_eq!(line(&["=1+1", "@x", "＝1"]), "'=1+1,'@x,'＝1\r\n");
    }
}
