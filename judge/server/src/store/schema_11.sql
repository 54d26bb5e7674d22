-- Categories of clarifications besides the problems, and prepared answers in place of the usual ones, as JSON arrays.
ALTER TABLE contests ADD COLUMN clarification_categories TEXT NOT NULL DEFAULT '[]';
ALTER TABLE contests ADD COLUMN prepared_answers TEXT;
-- Codes of the languages that teams may use, as a JSON array; NULL: all.
ALTER TABLE contests ADD COLUMN languages TEXT;
-- Teams and spectators see a result when a judge has verified it.
ALTER TABLE contests ADD COLUMN verification INTEGER NOT NULL DEFAULT 0;
-- A category of the contest; NULL: the problem, or general.
ALTER TABLE clarifications ADD COLUMN category TEXT;

-- What the jury notes on a question, for itself.
CREATE TABLE clarification_notes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    clarification INTEGER NOT NULL REFERENCES clarifications(id) ON DELETE CASCADE,
    author INTEGER REFERENCES users(id) ON DELETE SET NULL,
    text TEXT NOT NULL,
    time_ms INTEGER NOT NULL
);
CREATE INDEX notes_of_clarification ON clarification_notes(clarification, id);

-- The judge who verified a result, when, and a comment.
ALTER TABLE judgings ADD COLUMN verified_by INTEGER REFERENCES users(id) ON DELETE SET NULL;
ALTER TABLE judgings ADD COLUMN verified_ms INTEGER;
ALTER TABLE judgings ADD COLUMN verification_comment TEXT;

-- Images of organizations.
CREATE TABLE logos (
    organization INTEGER PRIMARY KEY REFERENCES organizations(id) ON DELETE CASCADE,
    blob TEXT NOT NULL,
    mime TEXT NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL
);
