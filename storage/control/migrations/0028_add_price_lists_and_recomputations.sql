-- Price lists that are newer than that of the release, for the whole installation.

CREATE TABLE price_lists (
  version text PRIMARY KEY, -- a date, by which lists are ordered
  source text NOT NULL, -- a file, an address, or who sent it
  models bigint NOT NULL,
  content text NOT NULL, -- JSON, as server/prices/prices.json
  installed_at bigint NOT NULL
);

-- Costs of recorded traces by another price list: first compared, then applied.
CREATE TABLE recomputations (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  from_us bigint NOT NULL, -- traces that start then or later, in microseconds
  to_us bigint NOT NULL, -- and before this
  list_version text NOT NULL,
  status text NOT NULL, -- comparing, compared, applying or applied
  traces bigint NOT NULL, -- that were read
  differences text NOT NULL, -- JSON: for each feature and model its costs before and after
  progress text NOT NULL, -- JSON: what it has to remember over a crash
  requested_by text NOT NULL, -- the API key or the person
  requested_by_name text NOT NULL, -- as it was then
  requested_at bigint NOT NULL,
  finished_at bigint -- when it was compared or applied
);
CREATE INDEX recomputations_by_age ON recomputations (workspace_id, requested_at, id);
