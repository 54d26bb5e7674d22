-- How often the process that had the unit ended without giving it back.
ALTER TABLE queue ADD COLUMN kills INTEGER NOT NULL DEFAULT 0;

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
-- Finds the oldest waiting unit.
CREATE INDEX queue_since ON queue(priority, state, since_ms);
