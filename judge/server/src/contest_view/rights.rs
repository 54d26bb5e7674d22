//! Rights of a viewer in a contest, for the endpoint `access`.

use super::{View, json};
use crate::access;
use crate::contest_api::{self, Access, AccessEndpoint, Capability, ObjectType};
use crate::http::Result;
use crate::store::Scoring;
use serde_json::Value;

/// Properties that the server has, of a type.
fn properties(kind: ObjectType) -> &'static [&'static str] {
    match kind {
        ObjectType::Contest => contest_api::Contest::PROPERTIES,
        ObjectType::JudgementTypes => contest_api::JudgementType::PROPERTIES,
        ObjectType::Languages => &[
            "id",
            "name",
            "entry_point_required",
            "entry_point_name",
            "extensions",
            "compiler.command",
            "compiler.args",
            "runner.command",
            "runner.args",
        ],
        ObjectType::Problems => contest_api::Problem::PROPERTIES,
        ObjectType::Groups => contest_api::Group::PROPERTIES,
        ObjectType::Organizations => contest_api::Organization::PROPERTIES,
        ObjectType::Teams => contest_api::Team::PROPERTIES,
        ObjectType::Persons => contest_api::Person::PROPERTIES,
        ObjectType::Accounts => contest_api::Account::PROPERTIES,
        ObjectType::State => contest_api::State::PROPERTIES,
        ObjectType::Submissions => contest_api::Submission::PROPERTIES,
        ObjectType::Judgements => contest_api::Judgement::PROPERTIES,
        ObjectType::Runs => contest_api::Run::PROPERTIES,
        ObjectType::Clarifications => contest_api::Clarification::PROPERTIES,
        ObjectType::Awards => contest_api::Award::PROPERTIES,
        ObjectType::Commentary => contest_api::Commentary::PROPERTIES,
        ObjectType::Scoreboard => &[
            "time",
            "contest_time",
            "state",
            "rows",
            "rows.rank",
            "rows.team_id",
            "rows.score",
            "rows.problems",
        ],
        ObjectType::EventFeed => contest_api::Notification::PROPERTIES,
    }
}

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
                self.viewer.sees_all() || self.takes_part
            }
            _ => true,
        };
        let endpoints = ObjectType::ALL.iter().filter(|kind| self.has(**kind));
        let endpoint = |kind: &ObjectType| AccessEndpoint {
            r#type: *kind,
            properties: properties(*kind)
                .iter()
                // `type` is a keyword.
                .map(|name| name.trim_start_matches("r#").to_owned())
                .filter(|name| is_shown(*kind, name))
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
            (Capability::AdminClar, admin),
        ]
        .into_iter()
        .filter_map(|(capability, has)| has.then_some(capability))
        .collect()
    }
}
