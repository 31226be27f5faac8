-- Today's tables: what all migrations together make. A test compares the two. To change them, add a migration.
-- Types that SQLite and PostgreSQL both take: text, bigint, double precision. Times are unix milliseconds (UTC).
-- JSON is text that only this program reads. Slugs never change, so they are keys.
-- What follows `-- engine: SQLite` or `-- engine: PostgreSQL` is for that engine only, until `-- engine: all`.

CREATE TABLE workspaces (
  id text PRIMARY KEY,
  name text NOT NULL,
  revision bigint NOT NULL, -- moves with every change that a cache may hold
  retention_days bigint, -- traces that arrived before go; empty: they stay
  retention_rules text, -- JSON: rules beside that of traces; empty: there are none
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
  variables text, -- JSON: [{label, type, description}]; empty: not told
  message text NOT NULL, -- why this version was made; '' when not told
  created_at bigint NOT NULL,
  created_by text, -- id of the API key; empty: made on the page or by the server
  messages text, -- JSON: [{role, content} | {placeholder}]; empty: text and system_text are all of it
  config text, -- JSON: an object of the application's; empty: not told
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
  moved_by text, -- id of the API key; empty: moved on the page or by the server
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
  last_position bigint NOT NULL DEFAULT 0, -- of the last row added, gone or not
  last_version bigint NOT NULL DEFAULT 0, -- number of the latest version; 0: none
  UNIQUE (workspace_id, slug)
);

CREATE TABLE dataset_rows (
  dataset_id text NOT NULL REFERENCES datasets (id),
  position bigint NOT NULL, -- 1, 2, 3 ... in the order of arrival
  id text NOT NULL,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  name text, -- empty: not told
  row_values text NOT NULL, -- JSON: an object by column name; names that are no column (any more) stay
  ideal_output text, -- empty: not told
  metadata text, -- JSON: an object of the caller's; empty: not told
  created_at bigint NOT NULL,
  since_version bigint NOT NULL DEFAULT 1, -- the first version that has, or would have, the row as it is
  split text, -- such as train or test; empty: in none
  labels text, -- JSON: names, none with a quotation mark, a comma or a backslash; empty: none
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

-- Rows as versions have them and the dataset no longer does.
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
  live_rule text, -- JSON: what it judges besides what names it; empty: only that
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
  created_by text, -- id of the API key or the person; empty: not known
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
  created_by text -- id of the person who made it, or made the key that made it; empty: not known
);
CREATE INDEX api_keys_by_age ON api_keys (workspace_id, created_at, id);

CREATE TABLE price_overrides (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  provider text, -- empty: any
  model text NOT NULL, -- a name, or a pattern in which * stands for anything
  starts_at bigint, -- empty: since ever
  input_per_million double precision NOT NULL, -- US dollars for a million tokens, as all of these
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
  response text, -- JSON of the answer, sealed where it holds a secret; empty: not answered yet
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
  sampled bigint NOT NULL, -- of the stored: to be evaluated
  sampled_out bigint NOT NULL, -- of the stored: not to be evaluated
  PRIMARY KEY (workspace_id, api_key_id, hour)
);
CREATE INDEX ledger_hours_by_hour ON ledger_hours (workspace_id, hour);

CREATE TABLE ledger_rejections (
  workspace_id text NOT NULL REFERENCES workspaces (id),
  api_key_id text NOT NULL,
  hour bigint NOT NULL, -- its first millisecond
  reason text NOT NULL, -- an error code
  rejected bigint NOT NULL,
  last_sample text NOT NULL, -- the start of the last body refused, at most 2048 bytes
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

-- People. They belong to no workspace: what they may do in one is in members.
CREATE TABLE people (
  id text PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL UNIQUE, -- in lower case
  email_verified bigint NOT NULL, -- 1: the identity provider vouches for it, or it is the operator's own; 0: whoever invited the person says so
  image text, -- address of a picture; empty: none
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  locked_at bigint -- since when nobody signs in to the account; empty: not locked
);

-- Accounts that were deleted: what they made still shows who made it.
CREATE TABLE deleted_people (
  id text PRIMARY KEY,
  name text NOT NULL,
  deleted_at bigint NOT NULL
);

-- How a person proves to be that person. Tokens of an identity provider are not kept.
CREATE TABLE person_accounts (
  id text PRIMARY KEY,
  person_id text NOT NULL REFERENCES people (id),
  provider_id text NOT NULL, -- credential: e-mail and password; oidc: the identity provider
  account_id text NOT NULL, -- the person's id there
  password text, -- scrypt hash; empty: signs in by the identity provider
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
  updated_at bigint NOT NULL -- last use, written once an hour: a session that is not used ends
);
CREATE INDEX person_sessions_by_person ON person_sessions (person_id);
CREATE INDEX person_sessions_by_expiry ON person_sessions (expires_at);

-- Links that work once: the set-up of the first owner, and new passwords.
CREATE TABLE one_time_links (
  hash text PRIMARY KEY, -- SHA-256 of the token, hexadecimal
  person_id text REFERENCES people (id), -- who sets a new password; empty: the set-up
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

-- A page with its filters, columns and range, under a name.
CREATE TABLE views (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  name text NOT NULL,
  page text NOT NULL, -- such as traces
  search text NOT NULL, -- the search parameters of its address
  created_at bigint NOT NULL
);
CREATE INDEX views_by_page ON views (workspace_id, page, name, id);

-- Charts of metrics, in an order, under a name.
CREATE TABLE dashboards (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  slug text NOT NULL,
  name text NOT NULL,
  description text NOT NULL, -- may be empty
  charts text NOT NULL, -- JSON: what each measures, in the order of the charts
  revision bigint NOT NULL, -- grows with each change, so that nobody overwrites what they have not seen
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  UNIQUE (workspace_id, slug)
);

-- What people say of traces, prompts and experiments.
CREATE TABLE comments (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  subject_type text NOT NULL, -- trace, prompt or experiment
  subject_id text NOT NULL, -- id of the trace or the experiment, slug of the prompt
  text text NOT NULL,
  created_by text NOT NULL, -- id of the person or API key
  created_at bigint NOT NULL,
  edited_at bigint
);
CREATE INDEX comments_by_subject ON comments (workspace_id, subject_type, subject_id, created_at, id);

-- Whom a comment mentions.
CREATE TABLE comment_mentions (
  comment_id text NOT NULL REFERENCES comments (id),
  person_id text NOT NULL,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  created_at bigint NOT NULL,
  seen_at bigint, -- null: new to the person
  PRIMARY KEY (comment_id, person_id)
);
CREATE INDEX comment_mentions_by_person ON comment_mentions (workspace_id, person_id, created_at, comment_id);

-- Links by which somebody without an account reads a trace.
CREATE TABLE shares (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  trace_id text NOT NULL,
  created_by text NOT NULL, -- id of the person or API key
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  revoked_at bigint -- null: it works until it expires
);
CREATE INDEX shares_by_trace ON shares (workspace_id, trace_id, created_at, id);

-- A provider of models, and the key that opens it.
CREATE TABLE connections (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  name text NOT NULL,
  provider text NOT NULL,
  base_url text, -- empty: that of the provider
  region text, -- of Bedrock; empty elsewhere
  models text NOT NULL, -- JSON: names of models to offer
  sealed_key text, -- AES-256-GCM: version, nonce, ciphertext and tag; empty: needs no key
  key_end text, -- its last four characters, to tell keys apart
  created_at bigint NOT NULL,
  concurrency_max bigint, -- judgements at a time; empty: the default
  spend_max_per_day double precision, -- US dollars for judging; empty: no limit
  UNIQUE (workspace_id, name)
);

-- Of the installation, not of a workspace: keys that the server makes for itself.
CREATE TABLE secrets (
  name text PRIMARY KEY,
  value text NOT NULL
);

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
  to_judge text, -- JSON of what is to be judged of it when it has settled; empty: nothing
  deleted_at bigint, -- since when its trace is deleted; empty: it is not
  deleted_scores text, -- ids of scores of its spans that were deleted, separated by spaces; empty: none
  PRIMARY KEY (workspace_id, otel_trace_id)
);
CREATE INDEX assemblies_by_due ON assemblies (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX assemblies_by_age ON assemblies (first_at);
CREATE INDEX assemblies_to_judge ON assemblies (settles_at) WHERE to_judge IS NOT NULL;

-- Of the installation: one node assembles at a time.
CREATE TABLE assembly_turn (
  name text PRIMARY KEY, -- 'assembly'; or workspace and id of a trace that is not to be assembled, since it is being changed
  holder text NOT NULL, -- a node
  held_until bigint NOT NULL,
  revision bigint NOT NULL -- the last one given out; 0 for a trace
);

-- Of the installation: what a node is about to write into the trace store, until it has.
CREATE TABLE assembly_plans (
  revision bigint PRIMARY KEY,
  traces text NOT NULL -- JSON: of each assembly its key, and the id and start of its traces
);

-- The queue of what is to be judged, and what came of it: one judging of one trace or log by one version of an evaluator.
CREATE TABLE evaluations (
  id text PRIMARY KEY, -- a UUID that follows from what is judged and by what; the score has the same
  workspace_id text NOT NULL REFERENCES workspaces (id),
  trace_id text NOT NULL,
  log_id text NOT NULL, -- empty: the whole trace is judged
  evaluator_slug text NOT NULL,
  evaluator_version bigint NOT NULL,
  connection_id text NOT NULL, -- of the model that is asked; empty: none is
  model text NOT NULL, -- empty: none is asked
  status text NOT NULL, -- waiting, running, judged (and not stored yet), done, skipped or failed
  attempts bigint NOT NULL, -- how often it was begun, less the times that were not its fault
  due_at bigint NOT NULL, -- waiting: not before; running: when the node has lost it
  deadline_at bigint NOT NULL, -- what waits after this has failed
  lease_owner text NOT NULL, -- the node that runs or stores it
  batch text NOT NULL, -- the token under which its score is stored; empty: none is
  problem text, -- why it waits again or has failed
  value text, -- JSON of the verdict; empty: none was given
  comment text, -- the reason of the verdict, or of there being none
  cost double precision, -- US dollars; empty: unknown, or no model was asked
  input_tokens bigint,
  output_tokens bigint,
  created_at bigint NOT NULL,
  changed_at bigint NOT NULL, -- of the status
  judge_trace_id text, -- of the last attempt that asked a model; empty: none was asked
  session_id text -- the session that is judged; empty: the trace or log is
);
-- Within a lane, each evaluator has its turn.
CREATE INDEX evaluations_by_group ON evaluations (workspace_id, connection_id, model, evaluator_slug, due_at)
  WHERE status = 'waiting';
CREATE INDEX evaluations_under_way ON evaluations (workspace_id, connection_id) WHERE status = 'running';
CREATE INDEX evaluations_unstored ON evaluations (changed_at) WHERE status = 'judged';
CREATE INDEX evaluations_by_status ON evaluations (workspace_id, status, changed_at, id);
CREATE INDEX evaluations_by_trace ON evaluations (workspace_id, trace_id);

-- Concurrency groups of evaluations: one for each model of a connection, and two of each workspace without a model.
CREATE TABLE evaluation_groups (
  workspace_id text NOT NULL REFERENCES workspaces (id),
  connection_id text NOT NULL, -- empty: what asks no model
  model text NOT NULL,
  due_at bigint, -- when the first that waits is due; empty: none waits
  held_until bigint NOT NULL, -- its circuit breaker is open until then
  problem text, -- why it is open
  problems bigint NOT NULL, -- how many in a row, since each is waited for longer
  probed_at bigint, -- when the model was last shown to answer as it must; empty: it has yet to be
  PRIMARY KEY (workspace_id, connection_id, model)
);

-- What models were paid for judging.
CREATE TABLE evaluation_spend (
  workspace_id text NOT NULL REFERENCES workspaces (id),
  connection_id text NOT NULL,
  day bigint NOT NULL, -- its beginning, in UTC
  cost double precision NOT NULL, -- US dollars
  PRIMARY KEY (workspace_id, connection_id, day)
);

-- A version that a tag serves to a share of those who ask, beside the one that carries the tag.
CREATE TABLE rollouts (
  id text PRIMARY KEY, -- the share is drawn by it, so each rollout draws others
  workspace_id text NOT NULL REFERENCES workspaces (id),
  prompt_id text NOT NULL REFERENCES prompts (id),
  tag text NOT NULL,
  baseline_version text NOT NULL, -- carries the tag as long as the rollout runs
  candidate_version text NOT NULL,
  share double precision NOT NULL, -- 0 to 1: now, or when it ended
  status text NOT NULL, -- running, promoted, rolled_back or stopped
  reason text NOT NULL, -- why it ended; '' when not told
  created_at bigint NOT NULL,
  created_by text, -- id of the API key or person
  ended_at bigint, -- empty: it runs
  ended_by text, -- id of the API key or person; empty: an alert, or nobody yet
  ended_by_alert text, -- id of the alert
  FOREIGN KEY (prompt_id, baseline_version) REFERENCES prompt_versions (prompt_id, version),
  FOREIGN KEY (prompt_id, candidate_version) REFERENCES prompt_versions (prompt_id, version)
);
CREATE UNIQUE INDEX rollouts_running ON rollouts (prompt_id, tag) WHERE status = 'running';
CREATE INDEX rollouts_by_age ON rollouts (workspace_id, created_at, id);

-- Which share a rollout had since when.
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
  alert_id text NOT NULL, -- one that is gone rolls nothing back
  workspace_id text NOT NULL REFERENCES workspaces (id),
  PRIMARY KEY (rollout_id, alert_id)
);
CREATE INDEX rollout_alerts_by_alert ON rollout_alerts (workspace_id, alert_id);

-- How often each API key fetched which version, by hours. Written in batches.
CREATE TABLE prompt_fetches (
  workspace_id text NOT NULL REFERENCES workspaces (id),
  prompt_slug text NOT NULL,
  hour bigint NOT NULL, -- its beginning
  version text NOT NULL, -- the one that was served
  tag text NOT NULL, -- the one that was asked for; '' where a version was
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
  feed text, -- JSON of what is added by itself; empty: nothing is
  fed_until bigint NOT NULL, -- what arrived before was looked at
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
  judged_at bigint, -- when the last judgement was given; empty: none was
  removed_at bigint -- when it was taken out of the queue; empty: it is in it
);
CREATE UNIQUE INDEX annotation_items_by_trace ON annotation_items (workspace_id, queue_id, trace_id, log_id);
CREATE INDEX annotation_items_by_arrival ON annotation_items (workspace_id, queue_id, added_at, id);
CREATE INDEX annotation_items_by_progress ON annotation_items (workspace_id, queue_id, judged DESC, added_at, id);

-- What one person has to do with one item.
CREATE TABLE annotation_assignments (
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
CREATE INDEX annotation_assignments_by_annotator ON annotation_assignments (workspace_id, queue_id, annotator_id, changed_at);

-- Where messages of alerts go.
CREATE TABLE channels (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  name text NOT NULL,
  type text NOT NULL, -- webhook, slack or email
  target text NOT NULL, -- what may be shown of where it leads
  sealed text NOT NULL, -- JSON of addresses and secrets, sealed: only the program's keyring opens it
  disabled_at bigint, -- empty: messages are sent
  problem text, -- why it was disabled; empty: a person did it, or it is not
  created_at bigint NOT NULL,
  events text NOT NULL DEFAULT '[]', -- JSON list, such as ["prompt.published"]; empty: alerts alone
  UNIQUE (workspace_id, name)
);

-- What people ask to be told of.
CREATE TABLE alerts (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  name text NOT NULL,
  note text NOT NULL, -- what to do about it; '' when none was given
  rule text NOT NULL, -- JSON: what is measured of what, over how long, and when it fires and clears
  is_enabled bigint NOT NULL, -- 1: it is watched
  muted_until bigint, -- nobody is told before; empty: it is not muted
  created_at bigint NOT NULL,
  UNIQUE (workspace_id, name)
);

-- Whom each alert tells.
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
  revision bigint NOT NULL, -- grows with every result and every change: the result of a check of an earlier one is dropped
  state text NOT NULL, -- ok, pending or firing
  since bigint NOT NULL, -- of the state
  recovering_since bigint, -- while it fires: since when it would not
  notified text NOT NULL, -- the last state that its channels were notified of: ok or firing
  last_ordinal bigint NOT NULL, -- of its last event; 0 when there was none
  checked_at bigint, -- the end of the window that was looked at last; empty: none was yet
  value double precision, -- of that window; empty: there was nothing to tell it from
  samples bigint NOT NULL, -- that the value was made of
  problem text, -- why the last look failed; empty: it did not
  recent text NOT NULL -- JSON of the last values: [[time, value or null], ...]
);

-- Each change to firing, and back.
CREATE TABLE alert_events (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  alert_id text NOT NULL, -- of an alert that may be gone
  ordinal bigint NOT NULL, -- 1, 2, 3 ... of the alert
  type text NOT NULL, -- firing or resolved
  reason text NOT NULL, -- threshold, no_data, changed, disabled or deleted
  at bigint NOT NULL, -- the end of the window that brought it about
  value double precision, -- of that window; empty: there was nothing to tell it from
  samples bigint NOT NULL,
  alert text NOT NULL, -- JSON of the alert as it was: name, note and rule
  created_at bigint NOT NULL,
  UNIQUE (alert_id, ordinal)
);
CREATE INDEX alert_events_by_age ON alert_events (workspace_id, created_at, id);
CREATE INDEX alert_events_of_alert ON alert_events (workspace_id, alert_id, created_at, id);

-- Messages: one event told to one channel.
CREATE TABLE notifications (
  id text PRIMARY KEY, -- the same at every try
  workspace_id text NOT NULL REFERENCES workspaces (id),
  alert_id text NOT NULL,
  event_id text NOT NULL REFERENCES alert_events (id),
  ordinal bigint NOT NULL, -- of the event: a channel is told of an alert's events in their order
  channel_id text NOT NULL, -- of a channel that may be gone
  channel_name text NOT NULL,
  status text NOT NULL, -- waiting (as its job says, which has the same id), delivered or failed
  attempts bigint NOT NULL, -- once it is delivered or has failed
  problem text, -- why it has failed
  delivered_at bigint,
  created_at bigint NOT NULL,
  UNIQUE (event_id, channel_id)
);

-- One run makes the traces of one experiment.
CREATE TABLE experiment_runs (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  experiment_id text NOT NULL,
  dataset_slug text NOT NULL,
  target text NOT NULL, -- JSON: what is run
  sealed_headers text, -- of an endpoint: JSON of its headers, encrypted; empty: it has none
  connection_id text NOT NULL, -- of the model that is asked; empty: none is
  evaluators text NOT NULL, -- JSON: slugs of those that judge each trace
  repetitions bigint NOT NULL,
  concurrency bigint NOT NULL, -- cases at a time
  spend_max double precision, -- US dollars; empty: no limit
  row_count bigint NOT NULL,
  status text NOT NULL, -- running, done or cancelled
  cost double precision NOT NULL, -- US dollars, as far as it is known
  due_at bigint, -- when the first case that waits is due; empty: none waits
  deadline_at bigint NOT NULL, -- cases that wait after this have failed
  held_until bigint NOT NULL, -- nothing is begun before
  problem text, -- why it is held
  problems bigint NOT NULL, -- how many in a row, since each is waited for longer
  created_by text NOT NULL, -- the API key or the person
  created_at bigint NOT NULL,
  ended_at bigint,
  dataset_version bigint, -- the version that it runs on; empty: from before datasets had versions
  split text, -- only rows in it; empty: of every split
  label text -- only rows with it; empty: with any labels
);
CREATE INDEX experiment_runs_by_age ON experiment_runs (workspace_id, created_at, id);
CREATE INDEX experiment_runs_by_experiment ON experiment_runs (workspace_id, experiment_id);
CREATE INDEX experiment_runs_under_way ON experiment_runs (due_at) WHERE status = 'running';

-- The rows as they were when the run began.
CREATE TABLE experiment_run_rows (
  run_id text NOT NULL REFERENCES experiment_runs (id),
  position bigint NOT NULL, -- from 0, in the order of the dataset
  workspace_id text NOT NULL REFERENCES workspaces (id),
  row_id text NOT NULL,
  name text,
  row_values text NOT NULL, -- JSON: by the name of the column
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
  attempts bigint NOT NULL, -- how often it was begun, less the times that were not its fault
  due_at bigint NOT NULL, -- waiting: not before; running: when the node has lost it
  lease_owner text NOT NULL, -- the node that runs it
  problem text, -- why it waits again or has failed
  trace_id text, -- once it is done
  cost double precision, -- US dollars; empty: unknown
  duration_ms double precision, -- of the last try
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
  dataset_row_id text NOT NULL, -- the row that an endpoint made the trace of; empty: the trace says it itself
  is_stored bigint NOT NULL, -- 1: the trace store says so too
  created_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, trace_id)
);
CREATE INDEX experiment_attachments_by_experiment ON experiment_attachments (workspace_id, experiment_id);
CREATE INDEX experiment_attachments_under_way ON experiment_attachments (created_at) WHERE is_stored = 0;

-- What was drawn of some records, to be put into the queue: one row for many traces, since it is written while they are recorded.
CREATE TABLE evaluation_arrivals (
  id text PRIMARY KEY, -- follows from the records, so that those that are drained again are the same
  workspace_id text NOT NULL REFERENCES workspaces (id),
  sampled text NOT NULL, -- JSON of the traces, with who judges them
  evaluations bigint NOT NULL, -- at most so many come of it
  held_until bigint NOT NULL, -- a node puts them into the queue until then
  created_at bigint NOT NULL
);
CREATE INDEX evaluation_arrivals_by_age ON evaluation_arrivals (created_at, id);
CREATE INDEX evaluation_arrivals_of_workspace ON evaluation_arrivals (workspace_id);

-- Durable work beside requests: one queue for every kind of it.
CREATE TABLE jobs (
  id text PRIMARY KEY,
  workspace_id text REFERENCES workspaces (id), -- empty: of the installation
  kind text NOT NULL, -- such as notification.send
  job_key text, -- unique among the unfinished and failed jobs of a kind; empty: any number may be the same
  concurrency_group text NOT NULL, -- what the job loads, such as a channel: limits and the circuit breaker go by it; '' for none
  sequence text, -- jobs of one sequence run one after another; empty: of none
  position bigint NOT NULL, -- in the sequence, ascending
  payload text NOT NULL, -- JSON, its shape depends on the kind
  state text NOT NULL, -- waiting, running, done, failed (a dead letter) or cancelled
  due_at bigint NOT NULL, -- waiting: not before
  attempts bigint NOT NULL, -- claims that count
  attempts_max bigint, -- it is a dead letter after as many; empty: never
  lease_owner text NOT NULL, -- the node that runs it; '' when none does
  lease_expires_at bigint, -- when another node may reclaim it; empty: it does not run
  last_error text, -- why the last attempt failed; empty: none did
  progress text, -- JSON, written by its handler
  result text, -- JSON, once it is done
  created_at bigint NOT NULL,
  finished_at bigint -- empty: it waits or runs
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

-- The audit log. Entries are written once: triggers refuse to change them, and to delete them but for their age.
CREATE TABLE audit_entries (
  id text PRIMARY KEY,
  workspace_id text NOT NULL, -- '': about the installation. No reference: entries outlive their workspace
  created_at bigint NOT NULL, -- when the request arrived
  actor_type text NOT NULL, -- person, key or nobody
  actor_id text NOT NULL, -- '' for nobody
  actor_name text NOT NULL, -- at that time
  address text NOT NULL, -- of the client
  user_agent text NOT NULL,
  operation text NOT NULL, -- such as keys.create
  resource text NOT NULL, -- its first word
  resource_id text NOT NULL, -- '' where it is unknown
  outcome text NOT NULL, -- done, refused, failed or interrupted
  status bigint NOT NULL, -- of the response; 0: there was none
  problem text NOT NULL, -- the code of the error; '' without one
  request_id text NOT NULL,
  request_hash text NOT NULL -- HMAC of the body; '' without one
);
CREATE INDEX audit_entries_of_workspace ON audit_entries (workspace_id, created_at, id);
CREATE INDEX audit_entries_by_time ON audit_entries (created_at, id);

-- The settings before and after. A table of their own: they are deleted with their workspace, which its entries outlive.
CREATE TABLE audit_states (
  entry_id text PRIMARY KEY,
  workspace_id text NOT NULL, -- as in the entry
  before_state text, -- JSON; empty: there was nothing, or it is not shown
  after_state text -- JSON
);
CREATE INDEX audit_states_of_workspace ON audit_states (workspace_id);

-- What the first transaction of a request leaves, so that no change is without an entry, even if the service stops before
-- it can write one. The entry takes its place.
CREATE TABLE audit_intents (
  id text PRIMARY KEY, -- of the entry
  workspace_id text NOT NULL, -- as in the entry
  created_at bigint NOT NULL,
  entry text NOT NULL -- JSON of what was known of the entry
);
CREATE INDEX audit_intents_of_workspace ON audit_intents (workspace_id);

-- How long entries are kept. It outlives its workspace, as the entries do.
CREATE TABLE audit_retention (
  workspace_id text PRIMARY KEY,
  days bigint, -- empty: forever
  expired_before bigint NOT NULL -- the triggers let only older entries be deleted
);

-- Where entries are sent.
CREATE TABLE audit_webhooks (
  workspace_id text PRIMARY KEY REFERENCES workspaces (id),
  target text NOT NULL, -- what may be shown of the address
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

-- What a workspace masks before it is stored.
CREATE TABLE masking_rules (
  workspace_id text PRIMARY KEY REFERENCES workspaces (id),
  rules text NOT NULL, -- JSON, in the order in which they apply
  updated_at bigint NOT NULL
);

-- Deletions of traces, and erasures of end users and organizations: durable, since they take longer than a request.

CREATE TABLE deletions (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  type text NOT NULL, -- traces, user or organization
  selection text, -- JSON: which traces, or who; empty once a user or an organization is erased
  request_hash text NOT NULL, -- SHA-256 that whoever knows the request can compute
  status text NOT NULL, -- running or done
  progress text NOT NULL, -- JSON: the step, and what it has to remember over a crash
  counts text NOT NULL, -- JSON: rows that were deleted, by place
  expected bigint NOT NULL, -- traces that matched when it was requested
  problem text, -- why the last attempt failed; empty: it did not
  checks text, -- JSON: what the search afterwards found, by place; empty: not searched yet
  requested_by text NOT NULL, -- the API key or the person
  requested_by_name text NOT NULL, -- as it was then
  requested_at bigint NOT NULL, -- what arrived later stays
  changed_at bigint NOT NULL,
  done_at bigint -- when the rows were gone from every query; empty: not yet
);
CREATE INDEX deletions_by_age ON deletions (workspace_id, requested_at, id);
CREATE INDEX deletions_running ON deletions (requested_at) WHERE status = 'running';

-- Price lists that are newer than that of the release, for the whole installation.

CREATE TABLE price_lists (
  version text PRIMARY KEY, -- a date, by which lists are ordered
  source text NOT NULL, -- a file, an address, or who sent it
  models bigint NOT NULL,
  content text NOT NULL, -- JSON, as server/prices/prices.json
  installed_at bigint NOT NULL
);

-- Costs of recorded traces by another price list: first compared, then applied.
CREATE TABLE recomputations (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id),
  from_us bigint NOT NULL, -- traces that start then or later, in microseconds
  to_us bigint NOT NULL, -- and before this
  list_version text NOT NULL,
  status text NOT NULL, -- comparing, compared, applying or applied
  traces bigint NOT NULL, -- that were read
  differences text NOT NULL, -- JSON: for each feature and model its costs before and after
  progress text NOT NULL, -- JSON: what it has to remember over a crash
  requested_by text NOT NULL, -- the API key or the person
  requested_by_name text NOT NULL, -- as it was then
  requested_at bigint NOT NULL,
  finished_at bigint -- when it was compared or applied
);
CREATE INDEX recomputations_by_age ON recomputations (workspace_id, requested_at, id);

-- Tags that move only when somebody else approves it.
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
  message text NOT NULL, -- '' when not told
  status text NOT NULL, -- pending, approved or rejected
  requested_by text NOT NULL, -- id of the person or API key
  requested_at bigint NOT NULL,
  decided_by text, -- id of the person; empty while pending
  decided_at bigint,
  reason text NOT NULL -- '' when not told
);
CREATE INDEX approvals_by_age ON approvals (workspace_id, requested_at, id);
