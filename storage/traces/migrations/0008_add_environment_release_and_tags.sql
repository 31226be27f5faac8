-- Where the application ran, which version of it, and the tags that it gave.

ALTER TABLE traces ADD COLUMN IF NOT EXISTS environment LowCardinality(Nullable(String)) COMMENT 'Where the application runs, as it was sent.' AFTER session_id;
ALTER TABLE traces ADD COLUMN IF NOT EXISTS release LowCardinality(Nullable(String)) COMMENT 'Version of the application, as it was sent.' AFTER environment;
ALTER TABLE traces ADD COLUMN IF NOT EXISTS tags Array(LowCardinality(String)) COMMENT 'As they were sent; empty when absent.' AFTER release;
