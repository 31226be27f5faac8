-- Lists of users, conversations and organizations sum the tokens of each trace, and lists by tokens compare them: one column
-- to read in place of two. Of parts from before it is computed as they are read, until they are merged.

ALTER TABLE traces
    ADD COLUMN IF NOT EXISTS total_tokens Float64 MATERIALIZED input_tokens + output_tokens COMMENT 'Sum of input_tokens and output_tokens.' CODEC(NONE) AFTER output_tokens;
