-- An account that is locked stays, and nobody signs in to it. Of one that is deleted, the name stays on what it made.
ALTER TABLE people ADD COLUMN locked_at bigint; -- empty: not locked

CREATE TABLE deleted_people (
  id text PRIMARY KEY,
  name text NOT NULL, -- shown beside what the person made
  deleted_at bigint NOT NULL
);

-- A workspace is deleted in steps; this says that it has begun, so that it goes on after a restart.
ALTER TABLE workspaces ADD COLUMN deleting_at bigint; -- empty: it is in use
