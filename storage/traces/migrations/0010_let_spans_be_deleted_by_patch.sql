-- Spans of a deleted trace are deleted like its rows: by a patch, which costs an insert.

ALTER TABLE spans MODIFY SETTING enable_block_number_column = 1, enable_block_offset_column = 1;
