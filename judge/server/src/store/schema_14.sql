-- Identifiers in the ICPC's own system.
ALTER TABLE teams ADD COLUMN icpc_id TEXT;
ALTER TABLE organizations ADD COLUMN icpc_id TEXT;
ALTER TABLE groups ADD COLUMN icpc_id TEXT;
-- Submissions get the verdicts of the ICPC only: RTE in place of MLE, WA in place of OLE, PE and PAC.
ALTER TABLE contests ADD COLUMN icpc_verdicts INTEGER NOT NULL DEFAULT 0;
