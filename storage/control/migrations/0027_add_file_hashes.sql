-- What the bytes of a file were when they arrived, to find what the disk has changed since.
CREATE TABLE file_hashes (
  workspace_id text NOT NULL REFERENCES workspaces (id),
  file_key text NOT NULL,
  sha256 text NOT NULL, -- hex
  PRIMARY KEY (workspace_id, file_key)
);
