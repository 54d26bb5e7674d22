-- The roles of accounts in single contests.
CREATE TABLE contest_roles (
    contest INTEGER NOT NULL REFERENCES contests(id) ON DELETE CASCADE,
    user INTEGER NOT NULL REFERENCES users(id) ON DELETE CASCADE,
    role TEXT NOT NULL,
    PRIMARY KEY (contest, user)
) WITHOUT ROWID;
CREATE INDEX contest_roles_of_user ON contest_roles(user);

-- Texts that teams print.
CREATE TABLE prints (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    contest INTEGER NOT NULL REFERENCES contests(id) ON DELETE CASCADE,
    user INTEGER NOT NULL REFERENCES users(id) ON DELETE CASCADE,
    team INTEGER REFERENCES teams(id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    text TEXT NOT NULL,
    pages INTEGER NOT NULL,
    time_ms INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'waiting',
    -- Why it was not printed.
    failure TEXT
);
CREATE INDEX prints_of_contest ON prints(contest, id);
CREATE INDEX prints_by_state ON prints(state, id);
