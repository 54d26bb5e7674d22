CREATE TABLE persons (
    id INTEGER PRIMARY KEY,
    ext TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('contestant', 'coach', 'staff', 'other')),
    title TEXT,
    email TEXT,
    sex TEXT,
    icpc_id TEXT
);

CREATE TABLE person_teams (
    person INTEGER NOT NULL REFERENCES persons(id) ON DELETE CASCADE,
    team INTEGER NOT NULL REFERENCES teams(id) ON DELETE CASCADE,
    PRIMARY KEY (person, team)
) WITHOUT ROWID;

CREATE TABLE commentary (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    contest INTEGER NOT NULL REFERENCES contests(id) ON DELETE CASCADE,
    author INTEGER REFERENCES users(id) ON DELETE SET NULL,
    time_ms INTEGER NOT NULL,
    message TEXT NOT NULL,
    -- Arrays of texts as JSON: tags; ids of the Contest API that it is about.
    tags TEXT NOT NULL,
    teams TEXT NOT NULL,
    problems TEXT NOT NULL,
    submissions TEXT NOT NULL
);
CREATE INDEX commentary_of_contest ON commentary(contest, id);

-- Balloons that were brought: a team gets one for each problem.
CREATE TABLE delivered_balloons (
    contest INTEGER NOT NULL REFERENCES contests(id) ON DELETE CASCADE,
    team INTEGER NOT NULL REFERENCES teams(id) ON DELETE CASCADE,
    problem INTEGER NOT NULL REFERENCES problems(id) ON DELETE CASCADE,
    delivered_by INTEGER REFERENCES users(id) ON DELETE SET NULL,
    delivered_ms INTEGER NOT NULL,
    PRIMARY KEY (contest, team, problem)
) WITHOUT ROWID;
