-- Indices of the samples in `cases`, as a JSON array; NULL: not known, so that none is shown.
ALTER TABLE package_versions ADD COLUMN samples TEXT;
