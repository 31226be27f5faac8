-- What is watched, how it stands, what has happened, and who is told of it.

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

-- How each alert stands. Machines write it.
CREATE TABLE alert_standings (
  alert_id text PRIMARY KEY REFERENCES alerts (id),
  workspace_id text NOT NULL REFERENCES workspaces (id),
  next_at bigint NOT NULL, -- when it is looked at; while a node looks at it, when that node has lost it
  holder text NOT NULL, -- the node that looks at it; '' when none does
  turn bigint NOT NULL, -- grows with every claim and every change of the rule: a look of an earlier turn counts no more
  state text NOT NULL, -- ok, pending or firing
  since bigint NOT NULL, -- of the state
  recovering_since bigint, -- while it fires: since when it would not
  told text NOT NULL, -- what its channels were told last: ok or firing
  last_ordinal bigint NOT NULL, -- of its last event; 0 when there was none
  checked_at bigint, -- the end of the window that was looked at last; empty: none was yet
  value double precision, -- of that window; empty: there was nothing to tell it from
  samples bigint NOT NULL, -- that the value was made of
  problem text, -- why the last look failed; empty: it did not
  recent text NOT NULL -- JSON of the last values: [[time, value or null], ...]
);
CREATE INDEX alert_standings_by_turn ON alert_standings (next_at);

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
  heard_at bigint, -- when the rest of the service has acted on it; empty: it has yet to
  created_at bigint NOT NULL,
  UNIQUE (alert_id, ordinal)
);
CREATE INDEX alert_events_by_age ON alert_events (workspace_id, created_at, id);
CREATE INDEX alert_events_of_alert ON alert_events (workspace_id, alert_id, created_at, id);
CREATE INDEX alert_events_unheard ON alert_events (created_at) WHERE heard_at IS NULL;

-- Messages: one event told to one channel.
CREATE TABLE notifications (
  id text PRIMARY KEY, -- the same at every try
  workspace_id text NOT NULL REFERENCES workspaces (id),
  alert_id text NOT NULL,
  event_id text NOT NULL REFERENCES alert_events (id),
  ordinal bigint NOT NULL, -- of the event: a channel is told of an alert's events in their order
  channel_id text NOT NULL, -- of a channel that may be gone
  channel_name text NOT NULL,
  status text NOT NULL, -- waiting, delivered or failed
  attempts bigint NOT NULL,
  due_at bigint NOT NULL, -- not before; while a node sends it, when that node has lost it
  holder text NOT NULL, -- the node that sends it; '' when none does
  problem text, -- why the last try failed
  delivered_at bigint,
  created_at bigint NOT NULL,
  UNIQUE (event_id, channel_id)
);
CREATE INDEX notifications_waiting ON notifications (due_at) WHERE status = 'waiting';
CREATE INDEX notifications_in_order ON notifications (alert_id, channel_id, ordinal) WHERE status = 'waiting';
