-- A row is found by its id alone, where its dataset is not named.
CREATE INDEX dataset_rows_of_workspace ON dataset_rows (workspace_id, id);
