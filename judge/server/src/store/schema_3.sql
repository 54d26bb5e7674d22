-- What packages on the disk looked like when they were added: an unchanged one is not read again.
CREATE TABLE package_stamps (
    -- The absolute path of the directory or archive.
    path TEXT PRIMARY KEY,
    stamp TEXT NOT NULL,
    -- The snapshot.
    tree TEXT NOT NULL
) WITHOUT ROWID;
