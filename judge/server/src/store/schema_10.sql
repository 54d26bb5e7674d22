-- The time zone in which the organisers of a contest write times; NULL: UTC.
ALTER TABLE contests ADD COLUMN zone TEXT;
-- Limits that the jury set in place of those of the package.
ALTER TABLE package_versions ADD COLUMN set_time_limit_s REAL;
ALTER TABLE package_versions ADD COLUMN set_memory_limit INTEGER;
-- The last clarification of a contest that a user has read.
CREATE TABLE clarification_marks (
    user INTEGER NOT NULL REFERENCES users(id) ON DELETE CASCADE,
    contest INTEGER NOT NULL REFERENCES contests(id) ON DELETE CASCADE,
    last INTEGER NOT NULL,
    PRIMARY KEY (user, contest)
) WITHOUT ROWID;
-- Intervals of time that do not count, as a JSON array of pairs of times.
ALTER TABLE contests ADD COLUMN removed_time TEXT NOT NULL DEFAULT '[]';
-- Bronze medals in addition to four.
ALTER TABLE contests ADD COLUMN more_bronze INTEGER NOT NULL DEFAULT 0;
-- Penalty that the jury adds to that of a team, in milliseconds; may be negative.
ALTER TABLE contest_teams ADD COLUMN extra_penalty_ms INTEGER NOT NULL DEFAULT 0;
-- Submissions that affect no scoreboard.
ALTER TABLE submissions ADD COLUMN ignored INTEGER NOT NULL DEFAULT 0;
-- Problems and languages whose submissions wait.
CREATE TABLE pauses (
    kind TEXT NOT NULL CHECK (kind IN ('problem', 'language')),
    -- The id of the package, or the code of the language.
    key TEXT NOT NULL,
    paused_by INTEGER REFERENCES users(id) ON DELETE SET NULL,
    paused_ms INTEGER NOT NULL,
    PRIMARY KEY (kind, key)
) WITHOUT ROWID;
