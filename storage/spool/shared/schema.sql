-- Records that any node has acknowledged and none has moved to the trace store yet. Only PostgreSQL has these tables: a
-- single node keeps its spool in files. Every statement can run again on a database that already has the tables.

-- A batch of records of one node. A sealed batch changes only by losing the records that are stored while others wait.
CREATE TABLE IF NOT EXISTS spool_segments (
  id text PRIMARY KEY,                      -- sorts by the time at which the segment began
  owner text NOT NULL,                      -- the process that appends to it and drains it
  is_sealed boolean NOT NULL DEFAULT false,
  records integer NOT NULL DEFAULT 0,       -- 0 until it is sealed
  bytes bigint NOT NULL DEFAULT 0           -- 0 until it is sealed
);

-- The unreachable shards of the trace store that the remaining records are for; empty for a complete segment.
ALTER TABLE spool_segments ADD COLUMN IF NOT EXISTS waiting_shards integer[];

-- The lease of each process: when it expires, other processes reclaim its segments.
CREATE TABLE IF NOT EXISTS spool_owners (
  owner text PRIMARY KEY,
  lease_until timestamptz NOT NULL
);

-- Numbers the processes in the order in which they start.
CREATE SEQUENCE IF NOT EXISTS spool_process_numbers AS integer CYCLE;

CREATE TABLE IF NOT EXISTS spool_records (
  id text PRIMARY KEY,
  segment_id text NOT NULL,                 -- of spool_segments
  position integer NOT NULL,                -- in the segment
  tags text[],                              -- for finding it other than by its id
  record bytea NOT NULL                     -- with its header and checksum, as in a segment file
);
CREATE INDEX IF NOT EXISTS spool_records_by_segment ON spool_records (segment_id, position);
CREATE INDEX IF NOT EXISTS spool_records_by_tag ON spool_records USING gin (tags)
  WITH (fastupdate = off) WHERE tags IS NOT NULL;

-- The first record with a tag whose order matters: the first that was committed, on any node. It is removed with its
-- segment.
CREATE TABLE IF NOT EXISTS spool_first_records (
  tag text PRIMARY KEY,
  record_id text NOT NULL,                  -- of spool_records
  segment_id text NOT NULL                  -- of spool_segments
);
CREATE INDEX IF NOT EXISTS spool_first_records_by_segment ON spool_first_records (segment_id);
-- During an upgrade, nodes of a version without this table leave rows of records that they removed.
DELETE FROM spool_first_records f WHERE NOT EXISTS (SELECT 1 FROM spool_segments s WHERE s.id = f.segment_id);

-- Records live for about a second: compressing them costs more than it saves, and vacuum must keep up with the deletes.
ALTER TABLE spool_records ALTER COLUMN record SET STORAGE EXTERNAL;
ALTER TABLE spool_records SET (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 50000,
  toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 50000
);

-- Records that no store accepts, kept so that nothing acknowledged is lost.
CREATE TABLE IF NOT EXISTS spool_rejected_records (
  segment_id text NOT NULL,
  position integer NOT NULL,                -- in the batch of rejected records
  record text NOT NULL,                     -- JSON
  PRIMARY KEY (segment_id, position)
);
