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
