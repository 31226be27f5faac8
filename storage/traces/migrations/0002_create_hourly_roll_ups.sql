-- Sums by the hour of a trace's start, for dashboards: thousands of rows in place of millions. Written by the views at
-- each insert, under the same deduplication tokens. What is no sum (people, percentiles) is read from the tables.

CREATE TABLE IF NOT EXISTS traces_hourly (
  workspace_id LowCardinality(String),
  hour_us Int64 COMMENT 'Start of the hour in which the traces started, in microseconds since 1970.',
  feature_slug LowCardinality(Nullable(String)),
  experiment_id LowCardinality(Nullable(String)),
  traces SimpleAggregateFunction(sum, UInt64),
  failed_traces SimpleAggregateFunction(sum, UInt64) COMMENT 'Traces with a failed log.',
  errors SimpleAggregateFunction(sum, UInt64) COMMENT 'Failed logs.',
  logs SimpleAggregateFunction(sum, UInt64),
  input_tokens SimpleAggregateFunction(sum, Float64),
  output_tokens SimpleAggregateFunction(sum, Float64),
  cost SimpleAggregateFunction(sum, Float64) COMMENT 'US dollars.',
  priced SimpleAggregateFunction(sum, UInt64) COMMENT 'Traces with a cost.',
  duration_us SimpleAggregateFunction(sum, Int64),
  timed SimpleAggregateFunction(sum, UInt64) COMMENT 'Traces with an end.'
)
ENGINE = AggregatingMergeTree
ORDER BY (workspace_id, hour_us, feature_slug, experiment_id)
SETTINGS allow_nullable_key = 1, non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS traces_to_hourly TO traces_hourly AS
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
GROUP BY workspace_id, hour_us, feature_slug, experiment_id;

CREATE TABLE IF NOT EXISTS logs_hourly (
  workspace_id LowCardinality(String),
  hour_us Int64 COMMENT 'Start of the hour in which their traces started, in microseconds since 1970.',
  feature_slug LowCardinality(Nullable(String)),
  experiment_id LowCardinality(Nullable(String)),
  type LowCardinality(String),
  model LowCardinality(Nullable(String)),
  provider LowCardinality(Nullable(String)),
  prompt_slug LowCardinality(Nullable(String)),
  prompt_version LowCardinality(Nullable(String)),
  logs SimpleAggregateFunction(sum, UInt64),
  errors SimpleAggregateFunction(sum, UInt64) COMMENT 'Failed logs.',
  input_tokens SimpleAggregateFunction(sum, Float64) COMMENT 'Each usage once.',
  output_tokens SimpleAggregateFunction(sum, Float64) COMMENT 'Each usage once.',
  cost SimpleAggregateFunction(sum, Float64) COMMENT 'US dollars, each usage once.',
  priced SimpleAggregateFunction(sum, UInt64) COMMENT 'Logs whose cost is in the sum.',
  duration_us SimpleAggregateFunction(sum, Int64),
  timed SimpleAggregateFunction(sum, UInt64) COMMENT 'Logs with a start and an end.'
)
ENGINE = AggregatingMergeTree
ORDER BY (workspace_id, hour_us, feature_slug, experiment_id, type, model, provider, prompt_slug, prompt_version)
SETTINGS allow_nullable_key = 1, non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS logs_to_hourly TO logs_hourly AS
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
GROUP BY workspace_id, hour_us, feature_slug, experiment_id, type, model, provider, prompt_slug, prompt_version;
