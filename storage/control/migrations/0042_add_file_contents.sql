-- Bytes of files where several nodes share the stores and there is no bucket.
CREATE TABLE file_chunks (
  workspace_id text NOT NULL REFERENCES workspaces (id),
  file_key text NOT NULL,
  upload_id text NOT NULL, -- UUIDv7; uploads of one file never mix
  position bigint NOT NULL, -- from 0
  bytes bytea NOT NULL,
  PRIMARY KEY (workspace_id, file_key, upload_id, position)
);

-- The upload that is the file.
CREATE TABLE file_contents (
  workspace_id text NOT NULL REFERENCES workspaces (id),
  file_key text NOT NULL,
  upload_id text NOT NULL,
  PRIMARY KEY (workspace_id, file_key)
);
