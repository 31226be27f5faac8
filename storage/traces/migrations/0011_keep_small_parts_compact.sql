-- A part of one batch is then a few files to write and sync in place of one for each column and its marks. Larger parts,
-- which merges make, keep a file for each column, so that a query reads those that it needs.

ALTER TABLE traces MODIFY SETTING min_bytes_for_wide_part = 67108864;
ALTER TABLE logs MODIFY SETTING min_bytes_for_wide_part = 67108864;
