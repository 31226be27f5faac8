-- What people say of traces, prompts and experiments.
CREATE TABLE comments (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  subject_type text NOT NULL, -- trace, prompt or experiment
  subject_id text NOT NULL, -- id of the trace or the experiment, slug of the prompt
  text text NOT NULL,
  created_by text NOT NULL, -- id of the person or API key
  created_at bigint NOT NULL,
  edited_at bigint
);
CREATE INDEX comments_by_subject ON comments (workspace_id, subject_type, subject_id, created_at, id);

-- Whom a comment mentions.
CREATE TABLE comment_mentions (
  comment_id text NOT NULL REFERENCES comments (id),
  person_id text NOT NULL,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  created_at bigint NOT NULL,
  seen_at bigint, -- null: new to the person
  PRIMARY KEY (comment_id, person_id)
);
CREATE INDEX comment_mentions_by_person ON comment_mentions (workspace_id, person_id, created_at, comment_id);
