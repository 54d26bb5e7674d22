-- The submission that a row is about: who may see it depends on the submission when the row is read.
ALTER TABLE feed ADD COLUMN submission INTEGER;
UPDATE feed SET submission = CASE type
    WHEN 'submissions' THEN CAST(object AS INTEGER)
    WHEN 'judgements' THEN CAST(json_extract(data, '$.submission_id') AS INTEGER)
    ELSE (SELECT j.submission FROM judgings j WHERE j.id = CAST(json_extract(data, '$.judgement_id') AS INTEGER))
    END
    WHERE type IN ('submissions', 'judgements', 'runs');
