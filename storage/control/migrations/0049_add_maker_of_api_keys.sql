-- Whoever requests the move of a protected tag by an API key of their own is the requester.
ALTER TABLE api_keys ADD COLUMN created_by text; -- id of the person who made it, or made the key that made it; empty: not known
