-- What the page keeps: saved views, connections to models, versions of evaluators, and how long traces stay.

-- A page with its filters, columns and range, under a name.
CREATE TABLE views (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  name text NOT NULL,
  page text NOT NULL, -- such as traces
  search text NOT NULL, -- the search parameters of its address
  created_at bigint NOT NULL
);
CREATE INDEX views_by_page ON views (workspace_id, page, name, id);

-- A provider of models, and the key that opens it.
CREATE TABLE connections (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  name text NOT NULL,
  provider text NOT NULL,
  base_url text, -- empty: that of the provider
  region text, -- of Bedrock; empty elsewhere
  models text NOT NULL, -- JSON: names of models to offer
  sealed_key text, -- AES-256-GCM: version, nonce, ciphertext and tag; empty: needs no key
  key_end text, -- its last four characters, to tell keys apart
  created_at bigint NOT NULL,
  UNIQUE (workspace_id, name)
);

-- Rows can be taken out, so how many there are and where the next one goes are two things.
ALTER TABLE datasets ADD COLUMN last_position bigint NOT NULL DEFAULT 0;
UPDATE datasets SET last_position = row_count;
CREATE UNIQUE INDEX dataset_rows_by_id ON dataset_rows (dataset_id, id);

-- A score names the version that gave it.
ALTER TABLE evaluators ADD COLUMN version bigint NOT NULL DEFAULT 1;
CREATE TABLE evaluator_versions (
  evaluator_id text NOT NULL REFERENCES evaluators (id),
  version bigint NOT NULL,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  kind text NOT NULL,
  config text NOT NULL, -- JSON, its shape depends on the kind
  created_at bigint NOT NULL,
  PRIMARY KEY (evaluator_id, version)
);

ALTER TABLE workspaces ADD COLUMN retention_days bigint;
