-- Contests whose final results were made open again, and why.
CREATE TABLE contest_reopenings (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    contest INTEGER NOT NULL REFERENCES contests(id) ON DELETE CASCADE,
    reason TEXT NOT NULL,
    reopened_by INTEGER REFERENCES users(id) ON DELETE SET NULL,
    time_ms INTEGER NOT NULL
);
