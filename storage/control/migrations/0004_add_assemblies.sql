-- What is known of traces that are assembled of OpenTelemetry's spans: the spans and the traces are in the trace store.
CREATE TABLE assemblies (
  workspace_id text NOT NULL REFERENCES workspaces (id),
  otel_trace_id text NOT NULL, -- 32 hexadecimal digits
  first_at bigint NOT NULL, -- first arrival of a span: the time in the ids of its traces, which must not change
  last_at bigint NOT NULL, -- last arrival of a span
  arrivals bigint NOT NULL, -- moves with each arrival, so that one during an assembly is noticed
  spans bigint NOT NULL, -- how many came, repetitions too: how much work it is
  due_at bigint, -- when it is to be assembled; empty: nothing has come since it was
  not_before bigint NOT NULL, -- a trace that grows is assembled with pauses
  settles_at bigint NOT NULL, -- when nothing more is expected: its root has ended, or it was quiet
  traces text NOT NULL, -- JSON: id and start of each stored trace
  digest text NOT NULL, -- of the spans it was assembled of; empty: never
  PRIMARY KEY (workspace_id, otel_trace_id)
);
CREATE INDEX assemblies_by_due ON assemblies (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX assemblies_by_age ON assemblies (last_at);

-- Of the installation: one node assembles at a time.
CREATE TABLE assembly_turn (
  name text PRIMARY KEY, -- of the one row
  holder text NOT NULL, -- a node
  held_until bigint NOT NULL,
  revision bigint NOT NULL -- the last one given out
);

-- Of the installation: what a node is about to write into the trace store, until it has.
CREATE TABLE assembly_plans (
  revision bigint PRIMARY KEY,
  traces text NOT NULL -- JSON: of each assembly its key, and the id and start of its traces
);
