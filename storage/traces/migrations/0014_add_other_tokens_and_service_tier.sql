-- Tokens of audio, images and long-lived cache writes have prices of their own, and so has a tier such as batch.

ALTER TABLE logs ADD COLUMN IF NOT EXISTS other_tokens Map(LowCardinality(String), Float64) COMMENT 'Tokens in buckets that few calls have, by name: audio, images, cache writes for an hour.' AFTER reasoning_tokens;
ALTER TABLE logs ADD COLUMN IF NOT EXISTS service_tier LowCardinality(String) COMMENT 'How the provider processed the call, such as batch; empty for the standard tier.' AFTER other_tokens;
