-- Spans of OpenTelemetry, of which traces are assembled: again when more spans of one come. So traces and logs have a
-- revision. Rows of a trace that is assembled anew are added, counted and then deleted, in this order; the hourly
-- sums of rows with a revision are written by that, and not by the views.

CREATE TABLE IF NOT EXISTS spans (
  workspace_id LowCardinality(String) COMMENT 'The tenant. Every query names one.',
  otel_trace_id String COMMENT '32 hexadecimal digits.',
  span_id String COMMENT '16 hexadecimal digits.',
  addition String COMMENT 'Empty for the span itself; for an event that came as a log record, what tells it from others.',
  received_at DateTime64(3, 'UTC') COMMENT 'Arrival. Of a span that came twice, the last is kept.',
  api_key_id LowCardinality(String),
  resolved String COMMENT 'JSON of what its references mean; empty when it has none.' CODEC(ZSTD(1)),
  span String COMMENT 'JSON of the span, or of the event.' CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(received_at)
PARTITION BY toYYYYMMDD(received_at)
ORDER BY (workspace_id, otel_trace_id, span_id, addition)
TTL toDateTime(received_at) + INTERVAL 8 DAY
SETTINGS index_granularity = 1024, ttl_only_drop_parts = 1, non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;

ALTER TABLE traces ADD COLUMN IF NOT EXISTS revision UInt64 COMMENT 'Grows when the trace is assembled anew; 0 for a trace that came whole. The highest is the one.' AFTER sent;
ALTER TABLE traces ADD COLUMN IF NOT EXISTS otel_trace_id String COMMENT 'OpenTelemetry''s own id, 32 hexadecimal digits; empty for other traces.' AFTER revision;
ALTER TABLE traces ADD INDEX IF NOT EXISTS otel_trace_ids otel_trace_id TYPE bloom_filter(0.01) GRANULARITY 1;
ALTER TABLE logs ADD COLUMN IF NOT EXISTS revision UInt64 COMMENT 'That of the trace.' AFTER sent;

-- Deletes by patch: they cost an insert, where a rewritten mask costs as much as the parts are large.
ALTER TABLE traces MODIFY SETTING enable_block_number_column = 1, enable_block_offset_column = 1;
ALTER TABLE logs MODIFY SETTING enable_block_number_column = 1, enable_block_offset_column = 1;

ALTER TABLE traces_to_hourly MODIFY QUERY
SELECT
  workspace_id,
  start_us - positiveModulo(start_us, 3600000000) AS hour_us,
  feature_slug,
  experiment_id,
  count() AS traces,
  countIf(t.errors > 0) AS failed_traces,
  sum(t.errors) AS errors,
  sum(t.log_count) AS logs,
  sum(t.input_tokens) AS input_tokens,
  sum(t.output_tokens) AS output_tokens,
  ifNull(sum(t.cost), 0) AS cost,
  count(t.cost) AS priced,
  ifNull(sum(t.duration_us), 0) AS duration_us,
  count(t.duration_us) AS timed
FROM traces AS t
WHERE revision = 0
GROUP BY workspace_id, hour_us, feature_slug, experiment_id;

ALTER TABLE logs_to_hourly MODIFY QUERY
SELECT
  workspace_id,
  trace_start_us - positiveModulo(trace_start_us, 3600000000) AS hour_us,
  feature_slug,
  experiment_id,
  type,
  model,
  provider,
  prompt_slug,
  prompt_version,
  count() AS logs,
  countIf(l.has_error) AS errors,
  ifNull(sumIf(l.input_tokens, l.counts_in_totals), 0) AS input_tokens,
  ifNull(sumIf(l.output_tokens, l.counts_in_totals), 0) AS output_tokens,
  ifNull(sum(l.cost_in_totals), 0) AS cost,
  count(l.cost_in_totals) AS priced,
  ifNull(sum(l.duration_us), 0) AS duration_us,
  count(l.duration_us) AS timed
FROM logs AS l
WHERE revision = 0
GROUP BY workspace_id, hour_us, feature_slug, experiment_id, type, model, provider, prompt_slug, prompt_version;
