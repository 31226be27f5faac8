-- What a dataset was. A version is a number: rows say since which one they are as they are, and what they were before
-- goes to the history when they change. So a version costs nothing until something changes.
ALTER TABLE datasets ADD COLUMN last_version bigint NOT NULL DEFAULT 0; -- number of the latest version; 0: none
ALTER TABLE dataset_rows ADD COLUMN since_version bigint NOT NULL DEFAULT 1; -- the first version that has, or would have, the row as it is
CREATE INDEX dataset_rows_by_version ON dataset_rows (dataset_id, since_version);

CREATE TABLE dataset_versions (
  dataset_id text NOT NULL REFERENCES datasets (id),
  version bigint NOT NULL, -- 1, 2, 3 ...
  workspace_id text NOT NULL REFERENCES workspaces (id),
  columns text NOT NULL, -- JSON, as in datasets
  row_count bigint NOT NULL,
  note text NOT NULL, -- '' for none
  created_by text NOT NULL, -- id of the API key or person
  created_at bigint NOT NULL,
  PRIMARY KEY (dataset_id, version)
);

-- Rows as versions have them and the dataset no longer does.
CREATE TABLE dataset_row_history (
  dataset_id text NOT NULL REFERENCES datasets (id),
  position bigint NOT NULL, -- as in dataset_rows
  since_version bigint NOT NULL,
  until_version bigint NOT NULL, -- the last version that has it
  id text NOT NULL, -- of the row
  workspace_id text NOT NULL REFERENCES workspaces (id),
  name text,
  row_values text NOT NULL,
  ideal_output text,
  metadata text,
  created_at bigint NOT NULL,
  PRIMARY KEY (dataset_id, position, since_version)
);
CREATE INDEX dataset_row_history_by_version ON dataset_row_history (dataset_id, until_version);

ALTER TABLE experiment_runs ADD COLUMN dataset_version bigint; -- the version that it runs on; empty: from before datasets had versions
