-- Links by which somebody without an account reads a trace.
CREATE TABLE shares (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  trace_id text NOT NULL,
  created_by text NOT NULL, -- id of the person or API key
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  revoked_at bigint -- null: it works until it expires
);
CREATE INDEX shares_by_trace ON shares (workspace_id, trace_id, created_at, id);
