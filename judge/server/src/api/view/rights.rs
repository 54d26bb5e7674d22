//! Rights of a viewer in a contest, for the endpoint `access`.

use super::{View, json};
use crate::access;
use crate::contest_api::{Access, AccessEndpoint, Capability, ObjectType};
use crate::http::Result;
use crate::store::Scoring;
use serde_json::Value;

/// Properties that the server has, of each type.
const PROPERTIES: [(ObjectType, &str); 18] = [
    (
        ObjectType::Contest,
        "id name formal_name start_time countdown_pause_time duration scoreboard_freeze_duration \
         scoreboard_thaw_time scoreboard_type penalty_time",
    ),
    (ObjectType::JudgementTypes, "id name penalty solved"),
    (
        ObjectType::Languages,
        "id name entry_point_required entry_point_name extensions",
    ),
    (
        ObjectType::Problems,
        "id label name ordinal rgb color time_limit memory_limit code_limit test_data_count max_score \
         statement attachments",
    ),
    (ObjectType::Groups, "id name"),
    (ObjectType::Organizations, "id name formal_name country"),
    (
        ObjectType::Teams,
        "id name label display_name organization_id group_ids",
    ),
    (
        ObjectType::Persons,
        "id icpc_id team_ids name title email sex role",
    ),
    (ObjectType::Accounts, "id username name type team_id"),
    (
        ObjectType::State,
        "started frozen ended thawed finalized end_of_updates",
    ),
    (
        ObjectType::Submissions,
        "id language_id problem_id team_id time contest_time entry_point files",
    ),
    (
        ObjectType::Judgements,
        "id submission_id judgement_type_id score current start_time start_contest_time end_time \
         end_contest_time max_run_time",
    ),
    (
        ObjectType::Runs,
        "id judgement_id ordinal judgement_type_id time contest_time run_time",
    ),
    (
        ObjectType::Clarifications,
        "id from_team_id to_team_ids reply_to_id problem_id text time contest_time",
    ),
    (ObjectType::Awards, "id citation team_ids"),
    (
        ObjectType::Commentary,
        "id time contest_time message tags team_ids problem_ids submission_ids",
    ),
    (
        ObjectType::Scoreboard,
        "time contest_time state rows rows.rank rows.team_id rows.score rows.problems",
    ),
    (ObjectType::EventFeed, "type id data token"),
];

impl View<'_> {
    /// Whether the viewer may see objects of this type, when they exist.
    pub fn has(&self, kind: ObjectType) -> bool {
        match kind {
            ObjectType::Runs => access::sees_runs(self.viewer),
            ObjectType::Accounts => access::sees_accounts(self.viewer),
            _ => true,
        }
    }

    /// The object of the endpoint `access`.
    ///
    /// # Errors
    ///
    /// Never in practice.
    pub fn access(&self) -> Result<Value> {
        let icpc = self.contest.scoring == Scoring::Icpc;
        let is_shown = |kind: ObjectType, name: &str| match (kind, name) {
            (ObjectType::Contest | ObjectType::JudgementTypes, "penalty_time" | "penalty") => icpc,
            (ObjectType::Problems, "max_score") | (ObjectType::Judgements, "score") => !icpc,
            (ObjectType::Persons, "icpc_id" | "email" | "sex") => {
                access::sees_private_data(self.viewer)
            }
            // Teams see those of their own submissions.
            (ObjectType::Submissions, "entry_point" | "files") => {
                self.viewer.is_jury() || self.takes_part
            }
            _ => true,
        };
        let endpoints = PROPERTIES.iter().filter(|(kind, _)| self.has(*kind));
        let endpoint = |(kind, names): &(ObjectType, &str)| AccessEndpoint {
            kind: *kind,
            properties: names
                .split_whitespace()
                .filter(|name| is_shown(*kind, name))
                .map(str::to_owned)
                .collect(),
        };
        json(&Access {
            capabilities: self.capabilities(),
            endpoints: endpoints.map(endpoint).collect(),
        })
    }

    fn capabilities(&self) -> Vec<Capability> {
        let team = self.viewer.team.is_some() && self.takes_part;
        let admin = access::acts_for_teams(self.viewer);
        let clock = access::controls_clock(self.viewer);
        [
            (Capability::ContestStart, clock),
            (Capability::ContestThaw, clock),
            (Capability::TeamSubmit, team),
            (Capability::PostClar, team || access::answers(self.viewer)),
            (Capability::PostComment, access::comments(self.viewer)),
            (Capability::ProxySubmit, admin),
            (Capability::ProxyClar, admin),
            (Capability::AdminSubmit, admin),
        ]
        .into_iter()
        .filter_map(|(capability, has)| has.then_some(capability))
        .collect()
    }
}
