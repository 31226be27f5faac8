-- Rows that were written lately are told apart by their revision when sums leave out those that they replace.

ALTER TABLE traces ADD INDEX IF NOT EXISTS revision_range revision TYPE minmax GRANULARITY 1;

ALTER TABLE logs ADD INDEX IF NOT EXISTS revision_range revision TYPE minmax GRANULARITY 1;
