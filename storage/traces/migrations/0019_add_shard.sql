-- Which of several shards this store is, so that their addresses cannot be mixed up. Empty where there is one.

CREATE TABLE IF NOT EXISTS shard
(
    number UInt16 COMMENT 'From 1.',
    shards UInt16 COMMENT 'How many there are.'
)
ENGINE = MergeTree
ORDER BY number
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1
COMMENT 'The place of this store among the shards of its installation.';
