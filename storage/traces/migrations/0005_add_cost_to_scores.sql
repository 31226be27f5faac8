-- What a model that judged was paid.

ALTER TABLE scores ADD COLUMN IF NOT EXISTS model LowCardinality(Nullable(String)) COMMENT 'The model that judged; null for other judges.' AFTER evaluator_version;
ALTER TABLE scores ADD COLUMN IF NOT EXISTS cost Nullable(Float64) COMMENT 'US dollars for the judgement; null when unknown, or when no model judged.' AFTER model;
ALTER TABLE scores ADD COLUMN IF NOT EXISTS input_tokens Nullable(Float64) COMMENT 'Of the judgement.' AFTER cost;
ALTER TABLE scores ADD COLUMN IF NOT EXISTS output_tokens Nullable(Float64) COMMENT 'Of the judgement.' AFTER input_tokens;
