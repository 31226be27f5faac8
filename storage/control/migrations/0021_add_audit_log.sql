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
