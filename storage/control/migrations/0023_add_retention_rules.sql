-- Retention by feature, and of what is no trace.
ALTER TABLE workspaces ADD COLUMN retention_rules text; -- JSON: rules beside that of traces; empty: there are none
