-- To sum, sort or group all traces of a workspace, most of the work was to decompress their numbers, which compress to two
-- thirds: a hundredth of what the texts beside them take. Parts have them uncompressed once they are merged.

ALTER TABLE traces
    MODIFY COLUMN start_us CODEC(NONE),
    MODIFY COLUMN end_us CODEC(NONE),
    MODIFY COLUMN duration_us CODEC(NONE),
    MODIFY COLUMN input_tokens CODEC(NONE),
    MODIFY COLUMN output_tokens CODEC(NONE),
    MODIFY COLUMN cost CODEC(NONE);
