-- People sign in with a session; API keys stay as they are.

-- People. They belong to no workspace: what they may do in one is in members.
CREATE TABLE people (
  id text PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL UNIQUE, -- in lower case
  email_verified bigint NOT NULL, -- 1: whoever invited the person, or the identity provider, vouches for it
  image text, -- address of a picture; empty: none
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL
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
  token text NOT NULL UNIQUE, -- the cookie has it signed
  expires_at bigint NOT NULL,
  ip_address text,
  user_agent text,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL
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
