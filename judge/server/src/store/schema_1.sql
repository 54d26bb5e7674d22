-- Times are milliseconds since 1970 (UTC), durations milliseconds, hashes lower-case hexadecimal SHA-256.
-- `ext` is the identifier in the ICPC Contest API and in contest packages.

CREATE TABLE organizations (
    id INTEGER PRIMARY KEY,
    ext TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    formal_name TEXT,
    country TEXT
);

CREATE TABLE groups (
    id INTEGER PRIMARY KEY,
    ext TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    -- Teams of a hidden group are not on the public scoreboard.
    hidden INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE teams (
    id INTEGER PRIMARY KEY,
    ext TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    display_name TEXT,
    label TEXT,
    organization INTEGER REFERENCES organizations(id) ON DELETE SET NULL,
    hidden INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE team_groups (
    team INTEGER NOT NULL REFERENCES teams(id) ON DELETE CASCADE,
    "group" INTEGER NOT NULL REFERENCES groups(id) ON DELETE CASCADE,
    PRIMARY KEY (team, "group")
) WITHOUT ROWID;

CREATE TABLE users (
    id INTEGER PRIMARY KEY,
    ext TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL UNIQUE,
    display_name TEXT,
    -- argon2id in PHC form; NULL: no sign-in by password.
    password_hash TEXT,
    role TEXT NOT NULL CHECK (role IN ('public', 'team', 'jury', 'admin')),
    team INTEGER REFERENCES teams(id) ON DELETE SET NULL,
    disabled INTEGER NOT NULL DEFAULT 0,
    created_ms INTEGER NOT NULL
);

CREATE TABLE contests (
    id INTEGER PRIMARY KEY,
    ext TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    formal_name TEXT,
    -- NULL: the start is not set.
    start_ms INTEGER,
    -- The countdown when the start is not set and the countdown is paused.
    countdown_pause_ms INTEGER,
    duration_ms INTEGER NOT NULL CHECK (duration_ms > 0),
    -- The scoreboard is frozen for this time before the end.
    freeze_ms INTEGER CHECK (freeze_ms BETWEEN 0 AND duration_ms),
    thawed_ms INTEGER,
    finalized_ms INTEGER,
    end_of_updates_ms INTEGER,
    scoring TEXT NOT NULL DEFAULT 'icpc' CHECK (scoring IN ('icpc', 'points')),
    penalty_ms INTEGER NOT NULL DEFAULT 1200000,
    -- Visible to users without a team.
    public INTEGER NOT NULL DEFAULT 1
);

CREATE TABLE contest_teams (
    contest INTEGER NOT NULL REFERENCES contests(id) ON DELETE CASCADE,
    team INTEGER NOT NULL REFERENCES teams(id) ON DELETE CASCADE,
    PRIMARY KEY (contest, team)
) WITHOUT ROWID;

CREATE TABLE problems (
    id INTEGER PRIMARY KEY,
    -- The id of the package.
    ext TEXT NOT NULL UNIQUE,
    -- Open to all in practice mode.
    practice INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE package_versions (
    id INTEGER PRIMARY KEY,
    problem INTEGER NOT NULL REFERENCES problems(id) ON DELETE CASCADE,
    -- The hash of the snapshot, which `packages` keeps.
    tree TEXT NOT NULL,
    name TEXT NOT NULL,
    format TEXT NOT NULL,
    -- NULL: derived from the accepted submissions, and not known yet.
    time_limit_s REAL,
    memory_limit INTEGER NOT NULL,
    code_limit INTEGER,
    scoring INTEGER NOT NULL DEFAULT 0,
    -- Allowed languages, as a JSON array; NULL: all.
    languages TEXT,
    -- Names of the cases in judging order, as a JSON array; a case's key is its index.
    cases TEXT NOT NULL,
    added_ms INTEGER NOT NULL,
    UNIQUE (problem, tree)
);

-- The version that new judgings use.
CREATE TABLE current_versions (
    problem INTEGER PRIMARY KEY REFERENCES problems(id) ON DELETE CASCADE,
    version INTEGER NOT NULL REFERENCES package_versions(id)
);

-- Uploaded packages, visible to the jury only, until they are published.
CREATE TABLE uploads (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- The hash of the snapshot.
    tree TEXT NOT NULL,
    ext TEXT NOT NULL,
    file TEXT NOT NULL,
    -- Steps of the verification.
    steps INTEGER NOT NULL,
    added_by INTEGER REFERENCES users(id) ON DELETE SET NULL,
    added_ms INTEGER NOT NULL,
    published_ms INTEGER
);

CREATE TABLE upload_steps (
    upload INTEGER NOT NULL REFERENCES uploads(id) ON DELETE CASCADE,
    step INTEGER NOT NULL,
    -- `StepReport` as JSON.
    report TEXT NOT NULL,
    PRIMARY KEY (upload, step)
) WITHOUT ROWID;

CREATE TABLE contest_problems (
    contest INTEGER NOT NULL REFERENCES contests(id) ON DELETE CASCADE,
    problem INTEGER NOT NULL REFERENCES problems(id),
    ordinal INTEGER NOT NULL,
    label TEXT NOT NULL,
    rgb TEXT,
    color TEXT,
    PRIMARY KEY (contest, problem),
    UNIQUE (contest, label)
) WITHOUT ROWID;

CREATE TABLE submissions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- NULL: practice.
    contest INTEGER REFERENCES contests(id),
    problem INTEGER NOT NULL REFERENCES problems(id),
    user INTEGER NOT NULL REFERENCES users(id),
    team INTEGER REFERENCES teams(id),
    language TEXT NOT NULL,
    entry_point TEXT,
    time_ms INTEGER NOT NULL
);
CREATE INDEX submissions_of_contest ON submissions(contest, id);
CREATE INDEX submissions_of_user ON submissions(user, id);
CREATE INDEX submissions_of_team ON submissions(team, contest, id);
CREATE INDEX submissions_of_problem ON submissions(problem, id);

CREATE TABLE submission_files (
    submission INTEGER NOT NULL REFERENCES submissions(id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    name TEXT NOT NULL,
    blob TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    PRIMARY KEY (submission, ordinal)
) WITHOUT ROWID;

CREATE TABLE rejudgings (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    reason TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'applied', 'dropped')),
    created_by INTEGER REFERENCES users(id) ON DELETE SET NULL,
    created_ms INTEGER NOT NULL,
    closed_ms INTEGER
);

CREATE TABLE judgings (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    submission INTEGER NOT NULL REFERENCES submissions(id) ON DELETE CASCADE,
    version INTEGER NOT NULL REFERENCES package_versions(id),
    -- NULL: the first judging of the submission.
    rejudging INTEGER REFERENCES rejudgings(id),
    -- The judging that counts.
    valid INTEGER NOT NULL,
    priority TEXT NOT NULL CHECK (priority IN ('contest', 'practice', 'jury', 'rejudge')),
    state TEXT NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'compiling', 'running', 'done', 'dropped')),
    -- Counts the starts; results of an earlier one are refused.
    attempt INTEGER NOT NULL DEFAULT 0,
    verdict TEXT,
    score REAL,
    max_cpu_s REAL,
    max_memory INTEGER,
    time_limit_s REAL,
    compile_message TEXT,
    -- Why the judge failed, for verdict JE.
    reason TEXT,
    judge_version TEXT,
    machine TEXT,
    created_ms INTEGER NOT NULL,
    started_ms INTEGER,
    finished_ms INTEGER
);
CREATE UNIQUE INDEX one_valid_judging ON judgings(submission) WHERE valid = 1;
CREATE INDEX judgings_of_submission ON judgings(submission, id);
CREATE INDEX judgings_of_rejudging ON judgings(rejudging) WHERE rejudging IS NOT NULL;
CREATE INDEX unfinished_judgings ON judgings(state) WHERE state NOT IN ('done', 'dropped');

CREATE TABLE case_results (
    judging INTEGER NOT NULL REFERENCES judgings(id) ON DELETE CASCADE,
    -- The index into the cases of the package's version.
    "case" INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    verdict TEXT NOT NULL,
    cpu_s REAL,
    wall_s REAL,
    memory INTEGER,
    score REAL,
    message TEXT,
    exit_code INTEGER,
    signal INTEGER,
    -- `judge::event::Details` as JSON.
    diagnosis TEXT,
    time_ms INTEGER NOT NULL,
    PRIMARY KEY (judging, "case")
) WITHOUT ROWID;

CREATE TABLE clarifications (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    contest INTEGER NOT NULL REFERENCES contests(id) ON DELETE CASCADE,
    problem INTEGER REFERENCES problems(id),
    -- NULL: from the jury.
    from_team INTEGER REFERENCES teams(id),
    -- NULL: to all teams if it is from the jury, otherwise to the jury.
    to_team INTEGER REFERENCES teams(id),
    reply_to INTEGER REFERENCES clarifications(id),
    text TEXT NOT NULL,
    author INTEGER REFERENCES users(id) ON DELETE SET NULL,
    time_ms INTEGER NOT NULL
);
CREATE INDEX clarifications_of_contest ON clarifications(contest, id);

-- Secrets are stored as their hashes: who reads the file cannot sign in.
CREATE TABLE sessions (
    hash TEXT PRIMARY KEY,
    user INTEGER NOT NULL REFERENCES users(id) ON DELETE CASCADE,
    csrf TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE tokens (
    id INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    user INTEGER NOT NULL REFERENCES users(id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    created_ms INTEGER NOT NULL
);

CREATE TABLE sign_in_links (
    hash TEXT PRIMARY KEY,
    user INTEGER NOT NULL REFERENCES users(id) ON DELETE CASCADE,
    expires_ms INTEGER NOT NULL
) WITHOUT ROWID;

-- Changes in the order in which they were committed; a row is written in the transaction of its change.
CREATE TABLE feed (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    contest INTEGER NOT NULL REFERENCES contests(id) ON DELETE CASCADE,
    -- Of the Contest API: submissions, judgements, runs, ...
    type TEXT NOT NULL,
    object TEXT,
    -- The object as JSON; NULL: deleted.
    data TEXT,
    -- 'public', 'spectators', 'jury', or 'team' with `team`.
    visible TEXT NOT NULL CHECK (visible IN ('public', 'spectators', 'team', 'jury')),
    team INTEGER,
    time_ms INTEGER NOT NULL
);
CREATE INDEX feed_of_contest ON feed(contest, seq);
CREATE INDEX feed_of_object ON feed(contest, type, object, seq);

CREATE TABLE queue (
    id TEXT PRIMARY KEY,
    seq INTEGER NOT NULL,
    -- 0: contest, 1: practice, 2: jury, 3: rejudge.
    priority INTEGER NOT NULL,
    share TEXT NOT NULL,
    -- Place in the order of fair shares.
    rank INTEGER NOT NULL,
    payload TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'leased', 'parked')),
    deliveries INTEGER NOT NULL DEFAULT 0,
    lease INTEGER,
    worker TEXT,
    -- Of the lease, or of the wait after a failure.
    until_ms INTEGER NOT NULL DEFAULT 0,
    reason TEXT,
    since_ms INTEGER NOT NULL
);
CREATE INDEX queue_order ON queue(state, priority, rank, seq);
CREATE INDEX queue_until ON queue(state, until_ms);

-- The last rank that a share got, per priority.
CREATE TABLE queue_shares (
    priority INTEGER NOT NULL,
    share TEXT NOT NULL,
    rank INTEGER NOT NULL,
    PRIMARY KEY (priority, share)
) WITHOUT ROWID;

-- `seq` and `lease` are the last numbers given; `rank<PRIORITY>` is the rank leased last.
CREATE TABLE queue_counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
