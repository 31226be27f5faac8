-- What a row is for, such as train or test, and what it is about. The history has both too.
ALTER TABLE dataset_rows ADD COLUMN split text; -- empty: in none
ALTER TABLE dataset_rows ADD COLUMN labels text; -- JSON: names, none with a quotation mark, a comma or a backslash; empty: none
ALTER TABLE dataset_row_history ADD COLUMN split text;
ALTER TABLE dataset_row_history ADD COLUMN labels text;
