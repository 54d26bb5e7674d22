-- The class of the machine that judged, as its worker named it.
ALTER TABLE judgings ADD COLUMN machine_class TEXT;
