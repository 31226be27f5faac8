-- What people judge, and who judges it.

CREATE TABLE annotation_queues (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  name text NOT NULL,
  instructions text NOT NULL, -- Markdown
  evaluator_slugs text NOT NULL, -- JSON of a list, in the order of judging
  annotators_per_item bigint NOT NULL, -- how many judge each item
  feed text, -- JSON of what is added by itself; empty: nothing is
  fed_until bigint NOT NULL, -- what arrived before was looked at
  feeding_until bigint NOT NULL, -- a node feeds it, and has lost it after
  created_at bigint NOT NULL
);
CREATE INDEX annotation_queues_by_workspace ON annotation_queues (workspace_id, created_at, id);

-- One trace, or one log of a trace, that is judged in a queue.
CREATE TABLE annotation_items (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  queue_id text NOT NULL REFERENCES annotation_queues (id),
  trace_id text NOT NULL,
  log_id text NOT NULL, -- empty: the whole trace
  judged bigint NOT NULL, -- how many have judged it
  added_at bigint NOT NULL,
  judged_at bigint -- when the last judgement was given; empty: none was
);
CREATE UNIQUE INDEX annotation_items_by_trace ON annotation_items (workspace_id, queue_id, trace_id, log_id);
CREATE INDEX annotation_items_by_arrival ON annotation_items (workspace_id, queue_id, added_at, id);
CREATE INDEX annotation_items_by_progress ON annotation_items (workspace_id, queue_id, judged DESC, added_at, id);

-- What one person has to do with one item.
CREATE TABLE annotation_turns (
  item_id text NOT NULL REFERENCES annotation_items (id),
  annotator_id text NOT NULL, -- of a person, or of an API key
  workspace_id text NOT NULL REFERENCES workspaces (id),
  queue_id text NOT NULL REFERENCES annotation_queues (id),
  annotator_name text NOT NULL, -- as it was then
  status text NOT NULL, -- held, judged or skipped
  held_until bigint NOT NULL, -- held: somebody else may have it after
  changed_at bigint NOT NULL,
  PRIMARY KEY (item_id, annotator_id)
);
CREATE INDEX annotation_turns_by_annotator ON annotation_turns (workspace_id, queue_id, annotator_id, changed_at);
