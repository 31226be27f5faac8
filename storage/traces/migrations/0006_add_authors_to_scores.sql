-- Who gave a score, for whom, and which of several givings is the last: one that is given again takes the place of the
-- one before. Rows are added and then the older ones are deleted, by patch, which costs as much as an insert.

ALTER TABLE scores ADD COLUMN IF NOT EXISTS author Nullable(String) COMMENT 'The name of the person or the API key that gave it, as it was then.' AFTER api_key_id;
ALTER TABLE scores ADD COLUMN IF NOT EXISTS user_id Nullable(String) COMMENT 'The end user whose judgement it is.' AFTER author;
ALTER TABLE scores ADD COLUMN IF NOT EXISTS revision UInt64 COMMENT 'Of rows of one score the highest is the one; 0 where a score is given once.' AFTER user_id;
ALTER TABLE scores MODIFY SETTING enable_block_number_column = 1, enable_block_offset_column = 1;
-- A score that was given long after its trace came is found by its id in any month.
ALTER TABLE scores ADD INDEX IF NOT EXISTS score_ids score_id TYPE bloom_filter(0.01) GRANULARITY 1;
