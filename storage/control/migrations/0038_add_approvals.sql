-- Tags that move only when somebody else approves it.
CREATE TABLE protected_tags (
  workspace_id text NOT NULL REFERENCES workspaces (id),
  label text NOT NULL,
  PRIMARY KEY (workspace_id, label)
);

-- Requested moves of protected tags.
CREATE TABLE approvals (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  prompt_id text NOT NULL REFERENCES prompts (id),
  tag text NOT NULL,
  from_version text, -- empty: no version had the tag
  version text NOT NULL,
  message text NOT NULL, -- '' when not told
  status text NOT NULL, -- pending, approved or rejected
  requested_by text NOT NULL, -- id of the person or API key
  requested_at bigint NOT NULL,
  decided_by text, -- id of the person; empty while pending
  decided_at bigint,
  reason text NOT NULL -- '' when not told
);
CREATE INDEX approvals_by_age ON approvals (workspace_id, requested_at, id);
