-- The current tables, as all migrations together create them. A test compares the two. To change them, add a migration.
-- Types are those that both SQLite and PostgreSQL accept: text, bigint, double precision. Times are unix milliseconds
-- (UTC). JSON is text that only this program reads. Slugs never change, so they are keys. Statements after `-- engine:
-- SQLite` or `-- engine: PostgreSQL` are for that engine only, until `-- engine: all`.

CREATE TABLE workspaces (
  id text PRIMARY KEY,
  name text NOT NULL,
  revision bigint NOT NULL, -- grows with every change of data that a cache may hold
  retention_days bigint, -- traces that arrived earlier are deleted; empty: they stay
  retention_rules text, -- JSON: rules besides the one for traces; empty: there are none
  deleting_at bigint -- since when it is being deleted, in steps; empty: it is in use
);

CREATE TABLE features (
  workspace_id text NOT NULL REFERENCES workspaces (id),
  slug text NOT NULL,
  name text NOT NULL,
  description text NOT NULL, -- '' when none was given
  created_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, slug)
);

CREATE TABLE prompts (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  slug text NOT NULL,
  name text NOT NULL,
  description text NOT NULL, -- '' when none was given
  feature_slug text, -- empty: belongs to no feature
  version_count bigint NOT NULL, -- also the ordinal of the newest version
  created_at bigint NOT NULL,
  archived_at bigint, -- empty: in use
  folder text, -- such as support/refunds; empty: in none
  UNIQUE (workspace_id, slug),
  FOREIGN KEY (workspace_id, feature_slug) REFERENCES features (workspace_id, slug)
);
CREATE INDEX prompts_by_age ON prompts (workspace_id, created_at, id);

CREATE TABLE prompt_versions (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  prompt_id text NOT NULL REFERENCES prompts (id),
  ordinal bigint NOT NULL, -- 1, 2, 3 ... in the order of creation
  version text NOT NULL,
  text text NOT NULL,
  system_text text NOT NULL, -- '' when none was given
  model text NOT NULL, -- JSON: provider, client, model, version, parameters
  variables text, -- JSON: [{label, type, description}]; empty: not given
  message text NOT NULL, -- why this version was created; '' when not given
  created_at bigint NOT NULL,
  created_by text, -- id of the API key; empty: created in the web app or by the server
  messages text, -- JSON: [{role, content} | {placeholder}]; empty: there are only text and system_text
  config text, -- JSON: an object defined by the application; empty: not given
  UNIQUE (prompt_id, ordinal),
  UNIQUE (prompt_id, version)
);

CREATE TABLE prompt_tags (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  prompt_id text NOT NULL REFERENCES prompts (id),
  label text NOT NULL,
  version text NOT NULL,
  UNIQUE (prompt_id, label),
  FOREIGN KEY (prompt_id, version) REFERENCES prompt_versions (prompt_id, version)
);

CREATE TABLE prompt_tag_moves (
  prompt_id text NOT NULL REFERENCES prompts (id),
  ordinal bigint NOT NULL, -- 1, 2, 3 ... in the order of the moves
  workspace_id text NOT NULL REFERENCES workspaces (id),
  label text NOT NULL,
  from_version text, -- empty: the tag was new
  to_version text NOT NULL,
  moved_at bigint NOT NULL,
  moved_by text, -- id of the API key; empty: moved in the web app or by the server
  PRIMARY KEY (prompt_id, ordinal)
);

CREATE TABLE datasets (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  slug text NOT NULL,
  name text NOT NULL,
  columns text NOT NULL, -- JSON: [{name, type}], in the order of display
  row_count bigint NOT NULL,
  created_at bigint NOT NULL,
  last_position bigint NOT NULL DEFAULT 0, -- of the last row added, even if deleted
  last_version bigint NOT NULL DEFAULT 0, -- number of the latest version; 0: none
  UNIQUE (workspace_id, slug)
);

CREATE TABLE dataset_rows (
  dataset_id text NOT NULL REFERENCES datasets (id),
  position bigint NOT NULL, -- 1, 2, 3 ... in the order of arrival
  id text NOT NULL,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  name text, -- empty: not given
  row_values text NOT NULL, -- JSON: an object by column name; names of removed columns stay
  ideal_output text, -- empty: not given
  metadata text, -- JSON: an object of the caller; empty: not given
  created_at bigint NOT NULL,
  since_version bigint NOT NULL DEFAULT 1, -- the first version that has, or would have, the row in this state
  split text, -- such as train or test; empty: in none
  labels text, -- JSON: names without quotation marks, commas or backslashes; empty: none
  PRIMARY KEY (dataset_id, position)
);
CREATE UNIQUE INDEX dataset_rows_by_id ON dataset_rows (dataset_id, id);
CREATE INDEX dataset_rows_of_workspace ON dataset_rows (workspace_id, id);
CREATE INDEX dataset_rows_by_version ON dataset_rows (dataset_id, since_version);

CREATE TABLE dataset_versions (
  dataset_id text NOT NULL REFERENCES datasets (id),
  version bigint NOT NULL, -- 1, 2, 3 ...
  workspace_id text NOT NULL REFERENCES workspaces (id),
  columns text NOT NULL, -- JSON, as in datasets
  row_count bigint NOT NULL,
  note text NOT NULL, -- '' for none
  created_by text NOT NULL, -- id of the API key or person
  created_at bigint NOT NULL,
  PRIMARY KEY (dataset_id, version)
);

-- Rows of versions that the dataset no longer has in this state.
CREATE TABLE dataset_row_history (
  dataset_id text NOT NULL REFERENCES datasets (id),
  position bigint NOT NULL, -- as in dataset_rows
  since_version bigint NOT NULL,
  until_version bigint NOT NULL, -- the last version that has it
  id text NOT NULL, -- of the row
  workspace_id text NOT NULL REFERENCES workspaces (id),
  name text,
  row_values text NOT NULL,
  ideal_output text,
  metadata text,
  created_at bigint NOT NULL,
  split text,
  labels text,
  PRIMARY KEY (dataset_id, position, since_version)
);
CREATE INDEX dataset_row_history_by_version ON dataset_row_history (dataset_id, until_version);

CREATE TABLE evaluators (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  slug text NOT NULL,
  name text NOT NULL,
  kind text NOT NULL,
  config text NOT NULL, -- JSON, its shape depends on the kind
  sample_rate double precision NOT NULL, -- 0 to 1
  created_at bigint NOT NULL,
  version bigint NOT NULL DEFAULT 1, -- of kind and config
  live_rule text, -- JSON: what it judges besides traces that name it; empty: only those
  UNIQUE (workspace_id, slug)
);

-- A score names the version that gave it.
CREATE TABLE evaluator_versions (
  evaluator_id text NOT NULL REFERENCES evaluators (id),
  version bigint NOT NULL,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  kind text NOT NULL,
  config text NOT NULL, -- JSON, its shape depends on the kind
  created_at bigint NOT NULL,
  created_by text, -- id of the API key or person; empty: not known
  PRIMARY KEY (evaluator_id, version)
);

CREATE TABLE experiments (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  feature_slug text NOT NULL,
  name text NOT NULL,
  created_at bigint NOT NULL,
  FOREIGN KEY (workspace_id, feature_slug) REFERENCES features (workspace_id, slug)
);
CREATE INDEX experiments_by_age ON experiments (workspace_id, created_at, id);

CREATE TABLE api_keys (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  name text NOT NULL,
  hash text NOT NULL UNIQUE, -- SHA-256 of the secret, hexadecimal
  prefix text NOT NULL, -- the start of the secret, to tell keys apart
  scopes text NOT NULL, -- separated by spaces
  expires_at bigint, -- empty: never
  created_at bigint NOT NULL,
  last_used_at bigint, -- empty: not used yet; written in batches, so some seconds late
  revoked_at bigint, -- empty: not revoked
  created_by text -- id of the person who created it, directly or through another key; empty: not known
);
CREATE INDEX api_keys_by_age ON api_keys (workspace_id, created_at, id);

CREATE TABLE price_overrides (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  provider text, -- empty: any
  model text NOT NULL, -- a name, or a pattern in which * stands for anything
  starts_at bigint, -- empty: no start
  input_per_million double precision NOT NULL, -- US dollars per million tokens, like all of these
  output_per_million double precision NOT NULL,
  cache_read_per_million double precision, -- empty: as input
  cache_write_per_million double precision, -- empty: as input
  reasoning_per_million double precision, -- empty: as output
  created_at bigint NOT NULL
);
CREATE INDEX price_overrides_by_age ON price_overrides (workspace_id, created_at, id);

CREATE TABLE idempotent_requests (
  workspace_id text NOT NULL REFERENCES workspaces (id),
  api_key_id text NOT NULL,
  route text NOT NULL,
  request_key text NOT NULL, -- the header Idempotency-Key
  body_hash text NOT NULL, -- of the decompressed body
  trace_id text, -- the id this request writes under; empty: it writes no trace
  status bigint, -- empty: not answered yet
  response text, -- JSON of the response, sealed if it contains a secret; empty: not answered yet
  created_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, api_key_id, route, request_key)
);
CREATE INDEX idempotent_requests_by_age ON idempotent_requests (workspace_id, created_at);

CREATE TABLE ledger_hours (
  workspace_id text NOT NULL REFERENCES workspaces (id),
  api_key_id text NOT NULL,
  hour bigint NOT NULL, -- its first millisecond
  stored bigint NOT NULL,
  deduplicated bigint NOT NULL,
  sampled bigint NOT NULL, -- stored records that will be evaluated
  sampled_out bigint NOT NULL, -- stored records that will not be evaluated
  PRIMARY KEY (workspace_id, api_key_id, hour)
);
CREATE INDEX ledger_hours_by_hour ON ledger_hours (workspace_id, hour);

CREATE TABLE ledger_rejections (
  workspace_id text NOT NULL REFERENCES workspaces (id),
  api_key_id text NOT NULL,
  hour bigint NOT NULL, -- its first millisecond
  reason text NOT NULL, -- an error code
  rejected bigint NOT NULL,
  last_sample text NOT NULL, -- the start of the last rejected body, at most 2048 bytes
  last_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, api_key_id, hour, reason)
);
CREATE INDEX ledger_rejections_by_hour ON ledger_rejections (workspace_id, hour);

CREATE TABLE ledger_batches (
  workspace_id text NOT NULL REFERENCES workspaces (id),
  token text NOT NULL, -- of a spool segment whose counts are in the ledger
  applied_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, token)
);
CREATE INDEX ledger_batches_by_age ON ledger_batches (workspace_id, applied_at);

CREATE TABLE files (
  workspace_id text NOT NULL REFERENCES workspaces (id),
  file_key text NOT NULL,
  file_name text NOT NULL,
  content_type text NOT NULL,
  size_bytes bigint, -- as announced, then as uploaded; empty: not announced
  created_at bigint NOT NULL,
  uploaded_at bigint, -- empty: no bytes yet
  PRIMARY KEY (workspace_id, file_key)
);

CREATE TABLE file_hashes (
  workspace_id text NOT NULL REFERENCES workspaces (id),
  file_key text NOT NULL,
  sha256 text NOT NULL, -- hex
  PRIMARY KEY (workspace_id, file_key)
);

CREATE TABLE file_chunks (
  workspace_id text NOT NULL REFERENCES workspaces (id),
  file_key text NOT NULL,
  upload_id text NOT NULL, -- UUIDv7; uploads of one file never mix
  position bigint NOT NULL, -- from 0
  bytes bytea NOT NULL,
  PRIMARY KEY (workspace_id, file_key, upload_id, position)
);

CREATE TABLE file_contents (
  workspace_id text NOT NULL REFERENCES workspaces (id),
  file_key text NOT NULL,
  upload_id text NOT NULL,
  PRIMARY KEY (workspace_id, file_key)
);

-- User accounts. They belong to no workspace: their roles are in members.
CREATE TABLE people (
  id text PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL UNIQUE, -- in lower case
  email_verified bigint NOT NULL, -- 1: the identity provider vouches for it, or it is the operator's own; 0: only the inviter vouches for it
  image text, -- URL of a picture; empty: none
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  locked_at bigint -- since when the account has been locked; empty: not locked
);

-- Deleted accounts: what they created still shows the creator.
CREATE TABLE deleted_people (
  id text PRIMARY KEY,
  name text NOT NULL,
  deleted_at bigint NOT NULL
);

-- Sign-in methods of a person. Tokens of an identity provider are not stored.
CREATE TABLE person_accounts (
  id text PRIMARY KEY,
  person_id text NOT NULL REFERENCES people (id),
  provider_id text NOT NULL, -- credential: e-mail and password; oidc: the identity provider
  account_id text NOT NULL, -- the person's id there
  password text, -- scrypt hash; empty: signs in through the identity provider
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  UNIQUE (provider_id, account_id)
);
CREATE INDEX person_accounts_by_person ON person_accounts (person_id);

CREATE TABLE person_sessions (
  id text PRIMARY KEY,
  person_id text NOT NULL REFERENCES people (id),
  token_hash text NOT NULL UNIQUE, -- SHA-256 of the token, hexadecimal; the cookie has the token, signed
  expires_at bigint NOT NULL,
  ip_address text,
  user_agent text,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL -- last use, written once an hour: idle sessions end
);
CREATE INDEX person_sessions_by_person ON person_sessions (person_id);
CREATE INDEX person_sessions_by_expiry ON person_sessions (expires_at);

-- One-time links: for the set-up of the first owner, and for new passwords.
CREATE TABLE one_time_links (
  hash text PRIMARY KEY, -- SHA-256 of the token, hexadecimal
  person_id text REFERENCES people (id), -- the person who sets a new password; empty: the set-up
  created_at bigint NOT NULL,
  expires_at bigint -- empty: until there is an owner
);

CREATE TABLE members (
  workspace_id text NOT NULL REFERENCES workspaces (id),
  person_id text NOT NULL REFERENCES people (id),
  role text NOT NULL, -- viewer, editor, admin or owner
  joined_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, person_id)
);
CREATE INDEX members_by_person ON members (person_id, joined_at);

CREATE TABLE invitations (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  email text NOT NULL, -- in lower case
  role text NOT NULL,
  hash text NOT NULL UNIQUE, -- SHA-256 of the token, hexadecimal
  created_at bigint NOT NULL,
  created_by text, -- id of the person or API key
  expires_at bigint NOT NULL,
  UNIQUE (workspace_id, email)
);

-- A named page with its filters, columns and range.
CREATE TABLE views (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  name text NOT NULL,
  page text NOT NULL, -- such as traces
  search text NOT NULL, -- the search parameters of its URL
  created_at bigint NOT NULL
);
CREATE INDEX views_by_page ON views (workspace_id, page, name, id);

-- Named, ordered lists of metrics charts.
CREATE TABLE dashboards (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  slug text NOT NULL,
  name text NOT NULL,
  description text NOT NULL, -- may be empty
  charts text NOT NULL, -- JSON: what each chart measures, in order
  revision bigint NOT NULL, -- grows with each change, so that no one overwrites unseen changes
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  UNIQUE (workspace_id, slug)
);

-- Comments on traces, prompts and experiments.
CREATE TABLE comments (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  subject_type text NOT NULL, -- trace, prompt or experiment
  subject_id text NOT NULL, -- id of the trace or experiment, slug of the prompt
  text text NOT NULL,
  created_by text NOT NULL, -- id of the person or API key
  created_at bigint NOT NULL,
  edited_at bigint
);
CREATE INDEX comments_by_subject ON comments (workspace_id, subject_type, subject_id, created_at, id);

-- The people that comments mention.
CREATE TABLE comment_mentions (
  comment_id text NOT NULL REFERENCES comments (id),
  person_id text NOT NULL,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  created_at bigint NOT NULL,
  seen_at bigint, -- null: new to the person
  PRIMARY KEY (comment_id, person_id)
);
CREATE INDEX comment_mentions_by_person ON comment_mentions (workspace_id, person_id, created_at, comment_id);

-- Links that let people without an account read a trace.
CREATE TABLE shares (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  trace_id text NOT NULL,
  created_by text NOT NULL, -- id of the person or API key
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  revoked_at bigint -- null: valid until it expires
);
CREATE INDEX shares_by_trace ON shares (workspace_id, trace_id, created_at, id);

-- A model provider and its key.
CREATE TABLE connections (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  name text NOT NULL,
  provider text NOT NULL,
  base_url text, -- empty: the default of the provider
  region text, -- for Bedrock; empty otherwise
  models text NOT NULL, -- JSON: names of models to offer
  sealed_key text, -- AES-256-GCM: version, nonce, ciphertext and tag; empty: no key needed
  key_end text, -- its last four characters, to tell keys apart
  created_at bigint NOT NULL,
  concurrency_max bigint, -- concurrent calls; empty: the default
  spend_max_per_day double precision, -- US dollars; empty: no limit
  UNIQUE (workspace_id, name)
);

-- Keys that the server creates for itself. They belong to the installation, not to a workspace.
CREATE TABLE secrets (
  name text PRIMARY KEY,
  value text NOT NULL
);

-- The state of traces that are assembled from OpenTelemetry spans. The spans and traces themselves are in the trace
-- store.
CREATE TABLE assemblies (
  workspace_id text NOT NULL REFERENCES workspaces (id),
  otel_trace_id text NOT NULL, -- 32 hexadecimal digits
  first_at bigint NOT NULL, -- first arrival of a span: the time in the ids of its traces, which must not change
  last_at bigint NOT NULL, -- last arrival of a span
  arrivals bigint NOT NULL, -- grows with each arrival, so that arrivals during an assembly are noticed
  spans bigint NOT NULL, -- how many arrived, including repetitions: a measure of the work
  due_at bigint, -- when assembly is due; empty: nothing has arrived since the last one
  not_before bigint NOT NULL, -- a growing trace is assembled with pauses
  settles_at bigint NOT NULL, -- when no more spans are expected: its root has ended, or it was quiet
  traces text NOT NULL, -- JSON: id and start of each stored trace
  digest text NOT NULL, -- of the spans it was assembled from; empty: never
  to_judge text, -- JSON of what to judge once it has settled; empty: nothing
  deleted_at bigint, -- when its trace was deleted; empty: not deleted
  deleted_scores text, -- ids of deleted scores of its spans, separated by spaces; empty: none
  PRIMARY KEY (workspace_id, otel_trace_id)
);
CREATE INDEX assemblies_by_due ON assemblies (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX assemblies_by_age ON assemblies (first_at);
CREATE INDEX assemblies_to_judge ON assemblies (settles_at) WHERE to_judge IS NOT NULL;

-- The assembler's lease in the installation: one node assembles at a time.
CREATE TABLE assembly_turn (
  name text PRIMARY KEY, -- 'assembly'; or workspace and id of a trace that is paused while it is being changed
  holder text NOT NULL, -- a node
  held_until bigint NOT NULL,
  revision bigint NOT NULL -- the last one issued; 0 for a trace
);

-- What a node of the installation is about to write to the trace store, until it is written.
CREATE TABLE assembly_plans (
  revision bigint PRIMARY KEY,
  traces text NOT NULL -- JSON: for each assembly its key, and the id and start of its traces
);

-- The queue of evaluations and their results: one per trace or log and evaluator version.
CREATE TABLE evaluations (
  id text PRIMARY KEY, -- a UUID derived from what is judged and what judges it; the score has the same id
  workspace_id text NOT NULL REFERENCES workspaces (id),
  trace_id text NOT NULL,
  log_id text NOT NULL, -- empty: the whole trace is judged
  evaluator_slug text NOT NULL,
  evaluator_version bigint NOT NULL,
  connection_id text NOT NULL, -- of the model that is called; empty: none
  model text NOT NULL, -- empty: none is called
  status text NOT NULL, -- waiting, running, judged (but not stored yet), done, skipped or failed
  attempts bigint NOT NULL, -- claims, except failures that do not count
  due_at bigint NOT NULL, -- waiting: not before; running: when its lease expires
  deadline_at bigint NOT NULL, -- it fails if it is still waiting after this
  lease_owner text NOT NULL, -- the node that runs or stores it
  batch text NOT NULL, -- the token under which its score is stored; empty: no score
  problem text, -- why it waits again or has failed
  value text, -- JSON of the verdict; empty: none
  comment text, -- the reason for the verdict, or for its absence
  cost double precision, -- US dollars; empty: unknown, or no model was called
  input_tokens bigint,
  output_tokens bigint,
  created_at bigint NOT NULL,
  changed_at bigint NOT NULL, -- of the status
  judge_trace_id text, -- of the last attempt that called a model; empty: none was called
  session_id text -- the judged session; empty: the trace or log is judged
);
-- Within a concurrency group, each evaluator gets its share.
CREATE INDEX evaluations_by_group ON evaluations (workspace_id, connection_id, model, evaluator_slug, due_at)
  WHERE status = 'waiting';
CREATE INDEX evaluations_under_way ON evaluations (workspace_id, connection_id) WHERE status = 'running';
CREATE INDEX evaluations_unstored ON evaluations (changed_at) WHERE status = 'judged';
CREATE INDEX evaluations_by_status ON evaluations (workspace_id, status, changed_at, id);
CREATE INDEX evaluations_by_trace ON evaluations (workspace_id, trace_id);

-- Concurrency groups of evaluations: one per model of a connection, and two per workspace without a model.
CREATE TABLE evaluation_groups (
  workspace_id text NOT NULL REFERENCES workspaces (id),
  connection_id text NOT NULL, -- empty: the groups without a model
  model text NOT NULL,
  due_at bigint, -- when the first that waits is due; empty: none waits
  held_until bigint NOT NULL, -- until when its circuit breaker is open
  problem text, -- why it is open
  problems bigint NOT NULL, -- how many in a row, since each is waited for longer
  probed_at bigint, -- when the model last passed a health probe; empty: it has yet to pass
  PRIMARY KEY (workspace_id, connection_id, model)
);

-- The daily spend of connections on evaluations, health probes and experiment runs.
CREATE TABLE evaluation_spend (
  workspace_id text NOT NULL REFERENCES workspaces (id),
  connection_id text NOT NULL,
  day bigint NOT NULL, -- its beginning, in UTC
  cost double precision NOT NULL, -- US dollars
  PRIMARY KEY (workspace_id, connection_id, day)
);

-- A version that a tag serves to a share of its callers, besides the version that has the tag.
CREATE TABLE rollouts (
  id text PRIMARY KEY, -- callers are sampled by it, so each rollout samples others
  workspace_id text NOT NULL REFERENCES workspaces (id),
  prompt_id text NOT NULL REFERENCES prompts (id),
  tag text NOT NULL,
  baseline_version text NOT NULL, -- has the tag while the rollout runs
  candidate_version text NOT NULL,
  share double precision NOT NULL, -- 0 to 1: now, or when it ended
  status text NOT NULL, -- running, promoted, rolled_back or stopped
  reason text NOT NULL, -- why it ended; '' when not given
  created_at bigint NOT NULL,
  created_by text, -- id of the API key or person
  ended_at bigint, -- empty: still running
  ended_by text, -- id of the API key or person; empty: an alert, or still running
  ended_by_alert text, -- id of the alert
  FOREIGN KEY (prompt_id, baseline_version) REFERENCES prompt_versions (prompt_id, version),
  FOREIGN KEY (prompt_id, candidate_version) REFERENCES prompt_versions (prompt_id, version)
);
CREATE UNIQUE INDEX rollouts_running ON rollouts (prompt_id, tag) WHERE status = 'running';
CREATE INDEX rollouts_by_age ON rollouts (workspace_id, created_at, id);

-- The history of a rollout's share.
CREATE TABLE rollout_shares (
  rollout_id text NOT NULL REFERENCES rollouts (id),
  ordinal bigint NOT NULL, -- 1, 2, 3 ... in the order of the changes
  workspace_id text NOT NULL REFERENCES workspaces (id),
  share double precision NOT NULL,
  changed_at bigint NOT NULL,
  changed_by text, -- id of the API key or person
  PRIMARY KEY (rollout_id, ordinal)
);

-- The alerts that roll a rollout back.
CREATE TABLE rollout_alerts (
  rollout_id text NOT NULL REFERENCES rollouts (id),
  alert_id text NOT NULL, -- a deleted alert rolls nothing back
  workspace_id text NOT NULL REFERENCES workspaces (id),
  PRIMARY KEY (rollout_id, alert_id)
);
CREATE INDEX rollout_alerts_by_alert ON rollout_alerts (workspace_id, alert_id);

-- How often each API key fetched which version, by hour. Written in batches.
CREATE TABLE prompt_fetches (
  workspace_id text NOT NULL REFERENCES workspaces (id),
  prompt_slug text NOT NULL,
  hour bigint NOT NULL, -- its beginning
  version text NOT NULL, -- the served version
  tag text NOT NULL, -- the requested tag; '' if a version was requested
  api_key_id text NOT NULL,
  fetches bigint NOT NULL,
  first_at bigint NOT NULL,
  last_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, prompt_slug, hour, version, tag, api_key_id)
);
CREATE INDEX prompt_fetches_by_hour ON prompt_fetches (workspace_id, hour);

CREATE TABLE annotation_queues (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  name text NOT NULL,
  instructions text NOT NULL, -- Markdown
  evaluator_slugs text NOT NULL, -- JSON of a list, in the order of judging
  annotators_per_item bigint NOT NULL, -- how many judge each item
  feed text, -- JSON of what is added automatically; empty: nothing
  fed_until bigint NOT NULL, -- the feed has covered earlier arrivals
  created_at bigint NOT NULL
);
CREATE INDEX annotation_queues_by_workspace ON annotation_queues (workspace_id, created_at, id);

-- A trace, or a log of a trace, to be judged in a queue.
CREATE TABLE annotation_items (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  queue_id text NOT NULL REFERENCES annotation_queues (id),
  trace_id text NOT NULL,
  log_id text NOT NULL, -- empty: the whole trace
  judged bigint NOT NULL, -- how many annotators have judged it
  added_at bigint NOT NULL,
  judged_at bigint, -- when the last judgement was given; empty: none yet
  removed_at bigint -- when it was removed from the queue; empty: not removed
);
CREATE UNIQUE INDEX annotation_items_by_trace ON annotation_items (workspace_id, queue_id, trace_id, log_id);
CREATE INDEX annotation_items_by_arrival ON annotation_items (workspace_id, queue_id, added_at, id);
CREATE INDEX annotation_items_by_progress ON annotation_items (workspace_id, queue_id, judged DESC, added_at, id);

-- The assignment of one item to one annotator.
CREATE TABLE annotation_assignments (
  item_id text NOT NULL REFERENCES annotation_items (id),
  annotator_id text NOT NULL, -- of a person, or of an API key
  workspace_id text NOT NULL REFERENCES workspaces (id),
  queue_id text NOT NULL REFERENCES annotation_queues (id),
  annotator_name text NOT NULL, -- at that time
  status text NOT NULL, -- held, judged or skipped
  held_until bigint NOT NULL, -- held: available to others afterwards
  changed_at bigint NOT NULL,
  PRIMARY KEY (item_id, annotator_id)
);
CREATE INDEX annotation_assignments_by_annotator ON annotation_assignments (workspace_id, queue_id, annotator_id, changed_at);

-- Where alert notifications are sent.
CREATE TABLE channels (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  name text NOT NULL,
  type text NOT NULL, -- webhook, slack or email
  target text NOT NULL, -- the part of the target that may be shown
  sealed text NOT NULL, -- JSON of addresses and secrets, sealed: only the program's keyring can open it
  disabled_at bigint, -- empty: notifications are sent
  problem text, -- why it was disabled; empty: disabled by a person, or enabled
  created_at bigint NOT NULL,
  events text NOT NULL DEFAULT '[]', -- JSON list, such as ["prompt.published"]; empty: alerts only
  UNIQUE (workspace_id, name)
);

-- Alert rules.
CREATE TABLE alerts (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  name text NOT NULL,
  note text NOT NULL, -- what to do about it; '' when none was given
  rule text NOT NULL, -- JSON: what is measured over which window, and when it fires and clears
  is_enabled bigint NOT NULL, -- 1: it is checked
  muted_until bigint, -- no notifications before; empty: not muted
  created_at bigint NOT NULL,
  UNIQUE (workspace_id, name)
);

-- The channels that each alert notifies.
CREATE TABLE alert_channels (
  alert_id text NOT NULL REFERENCES alerts (id),
  channel_id text NOT NULL REFERENCES channels (id),
  workspace_id text NOT NULL REFERENCES workspaces (id),
  PRIMARY KEY (alert_id, channel_id)
);
CREATE INDEX alert_channels_by_channel ON alert_channels (channel_id);

-- The state of each alert. Machines write it.
CREATE TABLE alert_states (
  alert_id text PRIMARY KEY REFERENCES alerts (id),
  workspace_id text NOT NULL REFERENCES workspaces (id),
  revision bigint NOT NULL, -- grows with every result and every change: results based on an earlier revision are dropped
  state text NOT NULL, -- ok, pending or firing
  since bigint NOT NULL, -- of the state
  recovering_since bigint, -- while firing: since when the recovery condition has held
  notified text NOT NULL, -- the last state that its channels were notified of: ok or firing
  last_ordinal bigint NOT NULL, -- of its last event; 0 if there was none
  checked_at bigint, -- the end of the last evaluated window; empty: none yet
  value double precision, -- of that window; empty: no data
  samples bigint NOT NULL, -- the number of values behind it
  problem text, -- why the last check failed; empty: it did not
  recent text NOT NULL -- JSON of the last values: [[time, value or null], ...]
);

-- Each change to firing and back.
CREATE TABLE alert_events (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  alert_id text NOT NULL, -- the alert may be deleted
  ordinal bigint NOT NULL, -- 1, 2, 3 ... of the alert
  type text NOT NULL, -- firing or resolved
  reason text NOT NULL, -- threshold, no_data, changed, disabled or deleted
  at bigint NOT NULL, -- the end of the window that caused it
  value double precision, -- of that window; empty: no data
  samples bigint NOT NULL,
  alert text NOT NULL, -- JSON of the alert at that time: name, note and rule
  created_at bigint NOT NULL,
  UNIQUE (alert_id, ordinal)
);
CREATE INDEX alert_events_by_age ON alert_events (workspace_id, created_at, id);
CREATE INDEX alert_events_of_alert ON alert_events (workspace_id, alert_id, created_at, id);

-- Notifications: one event sent to one channel.
CREATE TABLE notifications (
  id text PRIMARY KEY, -- the same for every attempt
  workspace_id text NOT NULL REFERENCES workspaces (id),
  alert_id text NOT NULL,
  event_id text NOT NULL REFERENCES alert_events (id),
  ordinal bigint NOT NULL, -- of the event: a channel gets an alert's events in order
  channel_id text NOT NULL, -- the channel may be deleted
  channel_name text NOT NULL,
  status text NOT NULL, -- waiting (see the job with the same id), delivered or failed
  attempts bigint NOT NULL, -- set once it is delivered or has failed
  problem text, -- why it failed
  delivered_at bigint,
  created_at bigint NOT NULL,
  UNIQUE (event_id, channel_id)
);

-- A run records the traces of one experiment.
CREATE TABLE experiment_runs (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  experiment_id text NOT NULL,
  dataset_slug text NOT NULL,
  target text NOT NULL, -- JSON: what is run
  sealed_headers text, -- for an endpoint: JSON of its headers, encrypted; empty: none
  connection_id text NOT NULL, -- of the model that is called; empty: none
  evaluators text NOT NULL, -- JSON: slugs of the evaluators that judge each trace
  repetitions bigint NOT NULL,
  concurrency bigint NOT NULL, -- cases at a time
  spend_max double precision, -- US dollars; empty: no limit
  row_count bigint NOT NULL,
  status text NOT NULL, -- running, done or cancelled
  cost double precision NOT NULL, -- US dollars, as far as known
  due_at bigint, -- when the first case that waits is due; empty: none waits
  deadline_at bigint NOT NULL, -- cases that are still waiting after this fail
  held_until bigint NOT NULL, -- no case starts before
  problem text, -- why it is paused
  problems bigint NOT NULL, -- how many in a row, since each is waited for longer
  created_by text NOT NULL, -- the API key or the person
  created_at bigint NOT NULL,
  ended_at bigint,
  dataset_version bigint, -- the version it runs on; empty: from before datasets had versions
  split text, -- only rows in it; empty: every split
  label text -- only rows with it; empty: any labels
);
CREATE INDEX experiment_runs_by_age ON experiment_runs (workspace_id, created_at, id);
CREATE INDEX experiment_runs_by_experiment ON experiment_runs (workspace_id, experiment_id);
CREATE INDEX experiment_runs_under_way ON experiment_runs (due_at) WHERE status = 'running';

-- The rows at the start of the run.
CREATE TABLE experiment_run_rows (
  run_id text NOT NULL REFERENCES experiment_runs (id),
  position bigint NOT NULL, -- from 0, in the order of the dataset
  workspace_id text NOT NULL REFERENCES workspaces (id),
  row_id text NOT NULL,
  name text,
  row_values text NOT NULL, -- JSON: an object by column name
  ideal_output text,
  metadata text, -- JSON
  PRIMARY KEY (run_id, position)
);

-- One repetition of one row.
CREATE TABLE experiment_run_cases (
  run_id text NOT NULL REFERENCES experiment_runs (id),
  position bigint NOT NULL, -- of the row
  repetition bigint NOT NULL, -- from 0
  workspace_id text NOT NULL REFERENCES workspaces (id),
  connection_id text NOT NULL, -- as in the run
  status text NOT NULL, -- waiting, running, done, failed or cancelled
  attempts bigint NOT NULL, -- claims, except failures that do not count
  due_at bigint NOT NULL, -- waiting: not before; running: when its lease expires
  lease_owner text NOT NULL, -- the node that runs it
  problem text, -- why it waits again or has failed
  trace_id text, -- set once it is done
  cost double precision, -- US dollars; empty: unknown
  duration_ms double precision, -- of the last attempt
  changed_at bigint NOT NULL, -- of the status
  PRIMARY KEY (run_id, position, repetition)
);
CREATE INDEX experiment_run_cases_waiting ON experiment_run_cases (run_id, due_at) WHERE status = 'waiting';
CREATE INDEX experiment_run_cases_under_way ON experiment_run_cases (workspace_id, connection_id)
  WHERE status = 'running';
CREATE INDEX experiment_run_cases_by_status ON experiment_run_cases (run_id, status, position, repetition);
CREATE INDEX experiment_run_cases_by_trace ON experiment_run_cases (workspace_id, trace_id) WHERE trace_id IS NOT NULL;

-- Traces that joined an experiment after they were recorded. Written before the trace store is changed.
CREATE TABLE experiment_attachments (
  workspace_id text NOT NULL REFERENCES workspaces (id),
  trace_id text NOT NULL,
  experiment_id text NOT NULL,
  dataset_row_id text NOT NULL, -- the row that an endpoint processed; empty: the trace metadata contains it
  is_stored bigint NOT NULL, -- 1: also in the trace store
  created_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, trace_id)
);
CREATE INDEX experiment_attachments_by_experiment ON experiment_attachments (workspace_id, experiment_id);
CREATE INDEX experiment_attachments_under_way ON experiment_attachments (created_at) WHERE is_stored = 0;

-- Sampled traces to be enqueued as evaluations: one row for many traces, since it is written while they are recorded.
CREATE TABLE evaluation_arrivals (
  id text PRIMARY KEY, -- derived from the records, so that a replay has the same id
  workspace_id text NOT NULL REFERENCES workspaces (id),
  sampled text NOT NULL, -- JSON of the traces with their evaluators
  evaluations bigint NOT NULL, -- the maximum number of evaluations it results in
  held_until bigint NOT NULL, -- until when a node may enqueue them
  created_at bigint NOT NULL
);
CREATE INDEX evaluation_arrivals_by_age ON evaluation_arrivals (created_at, id);
CREATE INDEX evaluation_arrivals_of_workspace ON evaluation_arrivals (workspace_id);

-- Durable background work: one queue for all kinds.
CREATE TABLE jobs (
  id text PRIMARY KEY,
  workspace_id text REFERENCES workspaces (id), -- empty: a job of the installation
  kind text NOT NULL, -- such as notification.send
  job_key text, -- unique among the unfinished and failed jobs of a kind; empty: not unique
  concurrency_group text NOT NULL, -- the resource that the job uses, such as a channel, for limits and the circuit breaker; '' for none
  sequence text, -- jobs of one sequence run one after another; empty: none
  position bigint NOT NULL, -- in the sequence, ascending
  payload text NOT NULL, -- JSON, its shape depends on the kind
  state text NOT NULL, -- waiting, running, done, failed (a dead letter) or cancelled
  due_at bigint NOT NULL, -- waiting: not before
  attempts bigint NOT NULL, -- claims that count
  attempts_max bigint, -- after this many it is a dead letter; empty: never
  lease_owner text NOT NULL, -- the node that runs it; '' if none does
  lease_expires_at bigint, -- when another node may reclaim it; empty: not running
  last_error text, -- why the last attempt failed; empty: none failed
  progress text, -- JSON, written by its handler
  result text, -- JSON, set once it is done
  created_at bigint NOT NULL,
  finished_at bigint -- empty: waiting or running
);
CREATE UNIQUE INDEX jobs_by_key ON jobs (kind, job_key)
  WHERE job_key IS NOT NULL AND state IN ('waiting', 'running', 'failed');
CREATE INDEX jobs_due ON jobs (due_at) WHERE state = 'waiting';
CREATE INDEX jobs_due_of_kind ON jobs (kind, due_at) WHERE state = 'waiting';
CREATE INDEX jobs_running ON jobs (lease_expires_at) WHERE state = 'running';
CREATE INDEX jobs_in_sequence ON jobs (sequence, position)
  WHERE sequence IS NOT NULL AND state IN ('waiting', 'running');
CREATE INDEX jobs_by_age ON jobs (created_at, id);
CREATE INDEX jobs_of_workspace ON jobs (workspace_id, created_at, id);
CREATE INDEX jobs_finished ON jobs (state, finished_at) WHERE finished_at IS NOT NULL;

-- The audit log. Entries are written once: triggers refuse changes, and deletion except by age.
CREATE TABLE audit_entries (
  id text PRIMARY KEY,
  workspace_id text NOT NULL, -- '' for the installation. No reference: entries outlive their workspace
  created_at bigint NOT NULL, -- when the request arrived
  actor_type text NOT NULL, -- person, key or nobody
  actor_id text NOT NULL, -- '' for nobody
  actor_name text NOT NULL, -- at that time
  address text NOT NULL, -- of the client
  user_agent text NOT NULL,
  operation text NOT NULL, -- such as keys.create
  resource text NOT NULL, -- its first word
  resource_id text NOT NULL, -- '' if unknown
  outcome text NOT NULL, -- done, refused, failed or interrupted
  status bigint NOT NULL, -- of the response; 0 if there was none
  problem text NOT NULL, -- the error code; '' without one
  request_id text NOT NULL,
  request_hash text NOT NULL -- HMAC of the body; '' without one
);
CREATE INDEX audit_entries_of_workspace ON audit_entries (workspace_id, created_at, id);
CREATE INDEX audit_entries_by_time ON audit_entries (created_at, id);

-- The settings before and after. A separate table, since they are deleted with their workspace, while entries outlive
-- it.
CREATE TABLE audit_states (
  entry_id text PRIMARY KEY,
  workspace_id text NOT NULL, -- as in the entry
  before_state text, -- JSON; empty: there was none, or it is not shown
  after_state text -- JSON
);
CREATE INDEX audit_states_of_workspace ON audit_states (workspace_id);

-- Written by the first transaction of a request, so that every change has an entry even if the service stops before
-- writing it. The entry replaces the intent.
CREATE TABLE audit_intents (
  id text PRIMARY KEY, -- of the entry
  workspace_id text NOT NULL, -- as in the entry
  created_at bigint NOT NULL,
  entry text NOT NULL -- JSON of the entry as far as known
);
CREATE INDEX audit_intents_of_workspace ON audit_intents (workspace_id);

-- How long entries are kept. Outlives its workspace, like the entries.
CREATE TABLE audit_retention (
  workspace_id text PRIMARY KEY,
  days bigint, -- empty: forever
  expired_before bigint NOT NULL -- the triggers allow only older entries to be deleted
);

-- Where entries are sent.
CREATE TABLE audit_webhooks (
  workspace_id text PRIMARY KEY REFERENCES workspaces (id),
  target text NOT NULL, -- the part of the address that may be shown
  sealed text NOT NULL, -- address and secret, encrypted
  created_at bigint NOT NULL
);

-- engine: SQLite
CREATE TRIGGER audit_entries_never_change BEFORE UPDATE ON audit_entries
BEGIN
  SELECT RAISE(ABORT, 'Audit entries are never changed.');
END;
CREATE TRIGGER audit_entries_expire_only BEFORE DELETE ON audit_entries
WHEN OLD.created_at >= COALESCE(
  (SELECT expired_before FROM audit_retention WHERE workspace_id = OLD.workspace_id), 0)
BEGIN
  SELECT RAISE(ABORT, 'Audit entries are deleted by their retention only.');
END;
CREATE TRIGGER audit_states_never_change BEFORE UPDATE ON audit_states
BEGIN
  SELECT RAISE(ABORT, 'Audit entries are never changed.');
END;

-- engine: PostgreSQL
CREATE FUNCTION refuse_change_of_audit_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'Audit entries are never changed.';
END $$;
CREATE FUNCTION refuse_deletion_of_audit_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.created_at >= COALESCE(
    (SELECT expired_before FROM audit_retention WHERE workspace_id = OLD.workspace_id), 0)
  THEN
    RAISE EXCEPTION 'Audit entries are deleted by their retention only.';
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER audit_entries_never_change BEFORE UPDATE ON audit_entries
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_audit_entries();
CREATE TRIGGER audit_entries_are_never_truncated BEFORE TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_audit_entries();
CREATE TRIGGER audit_entries_expire_only BEFORE DELETE ON audit_entries
  FOR EACH ROW EXECUTE FUNCTION refuse_deletion_of_audit_entries();
CREATE TRIGGER audit_states_never_change BEFORE UPDATE ON audit_states
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_audit_entries();
-- engine: all

-- What a workspace masks before storing.
CREATE TABLE masking_rules (
  workspace_id text PRIMARY KEY REFERENCES workspaces (id),
  rules text NOT NULL, -- JSON, in the order in which they apply
  updated_at bigint NOT NULL
);

-- Deletions of traces, and erasures of end users and organizations. Durable, since they take longer than a request.

CREATE TABLE deletions (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  type text NOT NULL, -- traces, user or organization
  selection text, -- JSON: which traces, or which subject; empty once a user or an organization is erased
  request_hash text NOT NULL, -- SHA-256, which can be computed from the request
  status text NOT NULL, -- running or done
  progress text NOT NULL, -- JSON: the step and its state, to resume after a crash
  counts text NOT NULL, -- JSON: rows that were deleted, by place
  expected bigint NOT NULL, -- traces that matched when it was requested
  problem text, -- why the last attempt failed; empty: it did not
  checks text, -- JSON: what the check afterwards found, by place; empty: not checked yet
  requested_by text NOT NULL, -- the API key or the person
  requested_by_name text NOT NULL, -- at that time
  requested_at bigint NOT NULL, -- later arrivals stay
  changed_at bigint NOT NULL,
  done_at bigint -- when no query returned the rows any more; empty: not yet
);
CREATE INDEX deletions_by_age ON deletions (workspace_id, requested_at, id);
CREATE INDEX deletions_running ON deletions (requested_at) WHERE status = 'running';

-- Price lists newer than the bundled one, for the whole installation.

CREATE TABLE price_lists (
  version text PRIMARY KEY, -- a date, by which lists are ordered
  source text NOT NULL, -- a file, a URL, or the sender
  models bigint NOT NULL,
  content text NOT NULL, -- JSON, like server/prices/prices.json
  installed_at bigint NOT NULL
);

-- Recomputed costs of recorded traces with another price list: first compared, then applied.
CREATE TABLE recomputations (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  from_us bigint NOT NULL, -- traces that start at or after this, in microseconds
  to_us bigint NOT NULL, -- and before this
  list_version text NOT NULL,
  status text NOT NULL, -- comparing, compared, applying or applied
  traces bigint NOT NULL, -- the number read
  differences text NOT NULL, -- JSON: costs before and after, by feature and model
  progress text NOT NULL, -- JSON: its state, to resume after a crash
  requested_by text NOT NULL, -- the API key or the person
  requested_by_name text NOT NULL, -- at that time
  requested_at bigint NOT NULL,
  finished_at bigint -- when it was compared or applied
);
CREATE INDEX recomputations_by_age ON recomputations (workspace_id, requested_at, id);

-- Tags that move only if another user approves.
CREATE TABLE protected_tags (
  workspace_id text NOT NULL REFERENCES workspaces (id),
  label text NOT NULL,
  PRIMARY KEY (workspace_id, label)
);

-- Requested moves of protected tags.
CREATE TABLE approvals (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  prompt_id text NOT NULL REFERENCES prompts (id),
  tag text NOT NULL,
  from_version text, -- empty: no version had the tag
  version text NOT NULL,
  message text NOT NULL, -- '' when not given
  status text NOT NULL, -- pending, approved or rejected
  requested_by text NOT NULL, -- id of the person or API key
  requested_at bigint NOT NULL,
  decided_by text, -- id of the person; empty while pending
  decided_at bigint,
  reason text NOT NULL -- '' when not given
);
CREATE INDEX approvals_by_age ON approvals (workspace_id, requested_at, id);
