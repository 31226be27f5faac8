-- What was taken out of a queue stays known, so that a feed does not bring it back, and who was at it can be told.
ALTER TABLE annotation_items ADD COLUMN removed_at bigint; -- when it was taken out of the queue; empty: it is in it
