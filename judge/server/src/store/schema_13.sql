-- The jury's list names the machines that judged.
CREATE INDEX machines_of_judgings ON judgings(machine) WHERE valid = 1;
