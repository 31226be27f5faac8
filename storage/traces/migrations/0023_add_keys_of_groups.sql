-- Lists of conversations, users and organizations compare, and sum, the traces of every group; reading and hashing their ids
-- was half of that. A key is the hash of an id, which takes 8 bytes. Of parts from before it is computed as they are read,
-- until they are merged.

ALTER TABLE traces
    ADD COLUMN IF NOT EXISTS user_key UInt64 MATERIALIZED if(isNull(user_id), 0, sipHash64(assumeNotNull(user_id))) COMMENT 'Hash of user_id; 0 when absent.' CODEC(NONE) AFTER user_name,
    ADD COLUMN IF NOT EXISTS organization_key UInt64 MATERIALIZED if(isNull(organization_id), 0, sipHash64(assumeNotNull(organization_id))) COMMENT 'Hash of organization_id; 0 when absent.' CODEC(NONE) AFTER organization_name,
    ADD COLUMN IF NOT EXISTS session_key UInt64 MATERIALIZED if(isNull(session_id), 0, sipHash64(assumeNotNull(session_id))) COMMENT 'Hash of session_id; 0 when absent.' CODEC(NONE) AFTER session_id;
