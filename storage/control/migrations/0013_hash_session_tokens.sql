-- The token of a session was here in clear; its place takes a hash. People sign in again.
DROP TABLE person_sessions;
CREATE TABLE person_sessions (
  id text PRIMARY KEY,
  person_id text NOT NULL REFERENCES people (id),
  token_hash text NOT NULL UNIQUE, -- SHA-256 of the token, hexadecimal; the cookie has the token, signed
  expires_at bigint NOT NULL,
  ip_address text,
  user_agent text,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL
);
CREATE INDEX person_sessions_by_person ON person_sessions (person_id);
CREATE INDEX person_sessions_by_expiry ON person_sessions (expires_at);

-- Responses that hold a secret were here in clear; they are sealed from now on. A retry of one of these is a new request.
DELETE FROM idempotent_requests
WHERE route IN ('keys.create', 'invitations.create', 'members.reset', 'channels.create', 'channels.rotate', 'files.sign');
