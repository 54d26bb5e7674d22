-- Indices of the samples in `cases`, and the name of the group of each case, as JSON arrays; NULL: not known, so that
-- no sample is shown.
ALTER TABLE package_versions ADD COLUMN samples TEXT;
ALTER TABLE package_versions ADD COLUMN groups TEXT;
