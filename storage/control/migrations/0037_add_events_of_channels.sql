-- A channel may also hear of events that no alert measures.
ALTER TABLE channels ADD COLUMN events text NOT NULL DEFAULT '[]'; -- JSON list, such as ["prompt.published"]; empty: alerts alone
