-- The queue of the workers of all machines: the class of machines that a unit needs, a token that the worker chooses for
-- its lease, and the time of the lease. The id says what the work is, so that there is no payload.
CREATE TABLE new_queue (
    id TEXT PRIMARY KEY,
    seq INTEGER NOT NULL,
    -- 0: contest, 1: practice, 2: jury, 3: rejudge.
    priority INTEGER NOT NULL,
    share TEXT NOT NULL,
    -- Place in the order of fair shares.
    rank INTEGER NOT NULL,
    -- Empty: machines of any class.
    machine_class TEXT NOT NULL DEFAULT '',
    state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'leased', 'parked')),
    deliveries INTEGER NOT NULL DEFAULT 0,
    -- How often the process that had the unit ended without giving it back.
    kills INTEGER NOT NULL DEFAULT 0,
    lease TEXT,
    lease_ms INTEGER NOT NULL DEFAULT 0,
    worker TEXT,
    -- Of the lease, or of the wait after a failure.
    until_ms INTEGER NOT NULL DEFAULT 0,
    reason TEXT,
    since_ms INTEGER NOT NULL
);
INSERT INTO new_queue (id, seq, priority, share, rank, state, deliveries, lease, worker, until_ms, reason, since_ms)
    SELECT id, seq, priority, share, rank, state, deliveries, lease, worker, until_ms, reason, since_ms FROM queue;
DROP TABLE queue;
ALTER TABLE new_queue RENAME TO queue;
CREATE INDEX queue_order ON queue(priority, rank, seq) WHERE state = 'waiting';
CREATE INDEX queue_order_of_class ON queue(machine_class, priority, rank, seq) WHERE state = 'waiting';
CREATE INDEX queue_age ON queue(priority, since_ms) WHERE state = 'waiting';
CREATE INDEX queue_leases ON queue(until_ms) WHERE state = 'leased';
CREATE UNIQUE INDEX queue_tokens ON queue(lease) WHERE state = 'leased';
CREATE INDEX queue_parked ON queue(priority, rank, seq) WHERE state = 'parked';
DELETE FROM queue_counters WHERE name = 'lease';

-- The number of units of each priority and state, which triggers keep, so that reading it takes the same time for every
-- length of the queue.
CREATE TABLE queue_counts (
    priority INTEGER NOT NULL,
    state TEXT NOT NULL,
    units INTEGER NOT NULL,
    PRIMARY KEY (priority, state)
) WITHOUT ROWID;
INSERT INTO queue_counts (priority, state, units)
    SELECT priorities.column1, states.column1,
        (SELECT COUNT(*) FROM queue WHERE priority = priorities.column1 AND state = states.column1)
    FROM (VALUES (0), (1), (2), (3)) priorities, (VALUES ('waiting'), ('leased'), ('parked')) states;
CREATE TRIGGER queue_added AFTER INSERT ON queue BEGIN
    UPDATE queue_counts SET units = units + 1 WHERE priority = new.priority AND state = new.state;
END;
CREATE TRIGGER queue_removed AFTER DELETE ON queue BEGIN
    UPDATE queue_counts SET units = units - 1 WHERE priority = old.priority AND state = old.state;
END;
CREATE TRIGGER queue_changed AFTER UPDATE OF state ON queue WHEN old.state <> new.state BEGIN
    UPDATE queue_counts SET units = units - 1 WHERE priority = old.priority AND state = old.state;
    UPDATE queue_counts SET units = units + 1 WHERE priority = new.priority AND state = new.state;
END;
