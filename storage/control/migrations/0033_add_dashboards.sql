-- Charts of metrics, in an order, under a name.
CREATE TABLE dashboards (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  slug text NOT NULL,
  name text NOT NULL,
  description text NOT NULL, -- may be empty
  charts text NOT NULL, -- JSON: what each measures, in the order of the charts
  revision bigint NOT NULL, -- grows with each change, so that nobody overwrites what they have not seen
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  UNIQUE (workspace_id, slug)
);
