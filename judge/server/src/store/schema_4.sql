-- What teams see of the results of their submissions while the contest runs; NULL: as usual for its scoring.
ALTER TABLE contests ADD COLUMN feedback TEXT CHECK (feedback IN ('full', 'score', 'samples'));
