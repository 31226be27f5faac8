-- What a workspace masks before it is stored.
CREATE TABLE masking_rules (
  workspace_id text PRIMARY KEY REFERENCES workspaces (id),
  rules text NOT NULL, -- JSON, in the order in which they apply
  updated_at bigint NOT NULL
);
