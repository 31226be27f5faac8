-- Versions of prompts that are served to a share of those who ask, and who fetched which version.

-- A version that a tag serves to a share of those who ask, beside the one that carries the tag.
CREATE TABLE rollouts (
  id text PRIMARY KEY, -- the share is drawn by it, so each rollout draws others
  workspace_id text NOT NULL REFERENCES workspaces (id),
  prompt_id text NOT NULL REFERENCES prompts (id),
  tag text NOT NULL,
  baseline_version text NOT NULL, -- carries the tag as long as the rollout runs
  candidate_version text NOT NULL,
  share double precision NOT NULL, -- 0 to 1: now, or when it ended
  status text NOT NULL, -- running, promoted, rolled_back or stopped
  reason text NOT NULL, -- why it ended; '' when not told
  created_at bigint NOT NULL,
  created_by text, -- id of the API key or person
  ended_at bigint, -- empty: it runs
  ended_by text, -- id of the API key or person; empty: an alert, or nobody yet
  ended_by_alert text, -- id of the alert
  FOREIGN KEY (prompt_id, baseline_version) REFERENCES prompt_versions (prompt_id, version),
  FOREIGN KEY (prompt_id, candidate_version) REFERENCES prompt_versions (prompt_id, version)
);
CREATE UNIQUE INDEX rollouts_running ON rollouts (prompt_id, tag) WHERE status = 'running';
CREATE INDEX rollouts_by_age ON rollouts (workspace_id, created_at, id);

-- Which share a rollout had since when.
CREATE TABLE rollout_shares (
  rollout_id text NOT NULL REFERENCES rollouts (id),
  ordinal bigint NOT NULL, -- 1, 2, 3 ... in the order of the changes
  workspace_id text NOT NULL REFERENCES workspaces (id),
  share double precision NOT NULL,
  changed_at bigint NOT NULL,
  changed_by text, -- id of the API key or person
  PRIMARY KEY (rollout_id, ordinal)
);

-- The alerts that roll a rollout back.
CREATE TABLE rollout_alerts (
  rollout_id text NOT NULL REFERENCES rollouts (id),
  alert_id text NOT NULL, -- one that is gone rolls nothing back
  workspace_id text NOT NULL REFERENCES workspaces (id),
  PRIMARY KEY (rollout_id, alert_id)
);
CREATE INDEX rollout_alerts_by_alert ON rollout_alerts (workspace_id, alert_id);

-- How often each API key fetched which version, by hours. Written in batches.
CREATE TABLE prompt_fetches (
  workspace_id text NOT NULL REFERENCES workspaces (id),
  prompt_slug text NOT NULL,
  hour bigint NOT NULL, -- its beginning
  version text NOT NULL, -- the one that was served
  tag text NOT NULL, -- the one that was asked for; '' where a version was
  api_key_id text NOT NULL,
  fetches bigint NOT NULL,
  first_at bigint NOT NULL,
  last_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, prompt_slug, hour, version, tag, api_key_id)
);
CREATE INDEX prompt_fetches_by_hour ON prompt_fetches (workspace_id, hour);
