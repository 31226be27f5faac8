-- Parts that were set aside because the disk damaged them: what is missing, and since when.

CREATE TABLE IF NOT EXISTS quarantined_parts
(
    table_name LowCardinality(String),
    part String COMMENT 'Name of the part, which is in the folder detached of its table.',
    rows UInt64 COMMENT 'Rows that are missing since.',
    problem String COMMENT 'What the engine found.',
    quarantined_at DateTime64(3, 'UTC')
)
ENGINE = MergeTree
ORDER BY (table_name, part)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1
COMMENT 'Damaged parts that were detached.';
