CREATE TABLE logs
(
    `workspace_id` LowCardinality(String) COMMENT 'The tenant. Every query names one.',
    `trace_id` UUID,
    `received_at` DateTime64(3, 'UTC') COMMENT 'Arrival of the trace.',
    `trace_start_us` Int64 COMMENT 'Start of the trace, so that its logs lie together and are read by key.',
    `position` UInt32 COMMENT 'Place in the array that was sent.',
    `log_id` String COMMENT 'The id that the client gave, unique within the trace.',
    `parent_id` Nullable(String) COMMENT 'log_id of the log around it.',
    `type` LowCardinality(String),
    `name` Nullable(String),
    `start_us` Nullable(Int64) COMMENT 'Microseconds since 1970.',
    `end_us` Nullable(Int64) COMMENT 'Microseconds since 1970.',
    `duration_us` Nullable(Int64) COMMENT 'Microseconds.',
    `time_to_first_token_ms` Nullable(Float64) COMMENT 'Milliseconds from the start, as sent; null when absent.',
    `input` String COMMENT 'JSON; empty when absent.' CODEC(ZSTD(1)),
    `output` String COMMENT 'JSON; empty when absent.' CODEC(ZSTD(1)),
    `ideal_output` String COMMENT 'JSON; empty when absent.' CODEC(ZSTD(1)),
    `metadata` String COMMENT 'A JSON object as it was sent; empty when absent.' CODEC(ZSTD(1)),
    `evaluators` String COMMENT 'JSON; empty when absent.' CODEC(ZSTD(1)),
    `variables` String COMMENT 'JSON; empty when absent.' CODEC(ZSTD(1)),
    `prompt` String COMMENT 'JSON of the reference as it was sent; empty when absent.' CODEC(ZSTD(1)),
    `prompt_slug` LowCardinality(Nullable(String)),
    `prompt_version` LowCardinality(Nullable(String)) COMMENT 'The version served; null when none was.',
    `model` LowCardinality(Nullable(String)),
    `provider` LowCardinality(Nullable(String)),
    `input_tokens` Nullable(Float64) COMMENT 'As sent, else counted. Clients may send fractions.',
    `output_tokens` Nullable(Float64) COMMENT 'As sent, else counted.',
    `tokens_estimated` Bool COMMENT 'Whether a count is our own.',
    `fresh_input_tokens` Nullable(Float64) COMMENT 'Input tokens that no cache served.',
    `cache_read_tokens` Nullable(Float64),
    `cache_write_tokens` Nullable(Float64),
    `text_output_tokens` Nullable(Float64) COMMENT 'Output tokens that are not reasoning.',
    `reasoning_tokens` Nullable(Float64),
    `other_tokens` Map(LowCardinality(String), Float64) COMMENT 'Tokens in buckets that few calls have, by name: audio, images, cache writes for an hour.',
    `service_tier` LowCardinality(String) COMMENT 'How the provider processed the call, such as batch; empty for the standard tier.',
    `cost` Nullable(Float64) COMMENT 'US dollars: as sent, else our estimate.',
    `cost_estimate` Nullable(Float64) COMMENT 'US dollars: our estimate, also beside a cost that was sent.',
    `cost_detail` String COMMENT 'JSON of how the estimate was made; empty when absent.' CODEC(ZSTD(1)),
    `counts_in_totals` Bool COMMENT 'False where a log inside this one carries the same usage: sums leave it out.',
    `cost_in_totals` Nullable(Float64) COMMENT 'US dollars that sums take: our estimate where 0 was sent; null where the log adds nothing.',
    `has_error` Bool,
    `feature_slug` LowCardinality(Nullable(String)) COMMENT 'Of the trace, for metrics.',
    `experiment_id` LowCardinality(Nullable(String)) COMMENT 'Of the trace, for metrics.',
    `user_id` Nullable(String) COMMENT 'Of the trace, for metrics.',
    `organization_id` Nullable(String) COMMENT 'Of the trace, for metrics.',
    `sent` String COMMENT 'JSON of what has no column; empty when absent.' CODEC(ZSTD(1)),
    `revision` UInt64 COMMENT 'That of the trace.',
    `words` String ALIAS translate(lowerUTF8(replaceAll(replaceAll(replaceAll(replaceAll(replaceRegexpAll(concatWithSeparator('\n', ifNull(name, ''), input, output, ideal_output, metadata), '[",][A-Za-z0-9+/_-]{128,}={0,2}', ' '), '\\\\', ' '), '\\n', ' '), '\\t', ' '), '\\r', ' ')), '_.:;,!?@#$%&*+-=/|<>(){}[]"\'`^~\\\n\r\t', '                                   ') COMMENT 'What full-text search looks at, as in traces.',
    INDEX received_at_range received_at TYPE minmax GRANULARITY 1,
    INDEX word_index words TYPE text(tokenizer = asciiCJK) GRANULARITY 100000000,
    INDEX revision_range revision TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(received_at)
ORDER BY (workspace_id, trace_start_us, trace_id, position)
SETTINGS index_granularity = 1024, non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1, enable_block_number_column = 1, enable_block_offset_column = 1, min_bytes_for_wide_part = 67108864;

CREATE TABLE logs_hourly
(
    `workspace_id` LowCardinality(String),
    `hour_us` Int64 COMMENT 'Start of the hour in which their traces started, in microseconds since 1970.',
    `feature_slug` LowCardinality(Nullable(String)),
    `experiment_id` LowCardinality(Nullable(String)),
    `type` LowCardinality(String),
    `model` LowCardinality(Nullable(String)),
    `provider` LowCardinality(Nullable(String)),
    `prompt_slug` LowCardinality(Nullable(String)),
    `prompt_version` LowCardinality(Nullable(String)),
    `logs` SimpleAggregateFunction(sum, UInt64),
    `errors` SimpleAggregateFunction(sum, UInt64) COMMENT 'Failed logs.',
    `input_tokens` SimpleAggregateFunction(sum, Float64) COMMENT 'Each usage once.',
    `output_tokens` SimpleAggregateFunction(sum, Float64) COMMENT 'Each usage once.',
    `cost` SimpleAggregateFunction(sum, Float64) COMMENT 'US dollars, each usage once.',
    `priced` SimpleAggregateFunction(sum, UInt64) COMMENT 'Logs whose cost is in the sum.',
    `duration_us` SimpleAggregateFunction(sum, Int64),
    `timed` SimpleAggregateFunction(sum, UInt64) COMMENT 'Logs with a start and an end.'
)
ENGINE = AggregatingMergeTree
ORDER BY (workspace_id, hour_us, feature_slug, experiment_id, type, model, provider, prompt_slug, prompt_version)
SETTINGS allow_nullable_key = 1, non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1, index_granularity = 8192;

CREATE MATERIALIZED VIEW logs_to_hourly TO logs_hourly
(
    `workspace_id` LowCardinality(String),
    `hour_us` Int64,
    `feature_slug` LowCardinality(Nullable(String)),
    `experiment_id` LowCardinality(Nullable(String)),
    `type` LowCardinality(String),
    `model` LowCardinality(Nullable(String)),
    `provider` LowCardinality(Nullable(String)),
    `prompt_slug` LowCardinality(Nullable(String)),
    `prompt_version` LowCardinality(Nullable(String)),
    `logs` UInt64,
    `errors` UInt64,
    `input_tokens` Float64,
    `output_tokens` Float64,
    `cost` Float64,
    `priced` UInt64,
    `duration_us` Int64,
    `timed` UInt64
)
AS SELECT
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
GROUP BY
    workspace_id,
    hour_us,
    feature_slug,
    experiment_id,
    type,
    model,
    provider,
    prompt_slug,
    prompt_version;

CREATE TABLE migrations
(
    `name` String,
    `checksum` String,
    `applied_at` DateTime64(3, 'UTC')
)
ENGINE = MergeTree
ORDER BY name
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, index_granularity = 8192
COMMENT 'Which files of the folder migrations were applied, with the checksum of their text.';

CREATE TABLE quarantined_parts
(
    `table_name` LowCardinality(String),
    `part` String COMMENT 'Name of the part, which is in the folder detached of its table.',
    `rows` UInt64 COMMENT 'Rows that are missing since.',
    `problem` String COMMENT 'What the engine found.',
    `quarantined_at` DateTime64(3, 'UTC')
)
ENGINE = MergeTree
ORDER BY (table_name, part)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, index_granularity = 8192
COMMENT 'Damaged parts that were detached.';

CREATE TABLE scores
(
    `workspace_id` LowCardinality(String) COMMENT 'The tenant. Every query names one.',
    `score_id` UUID,
    `trace_id` UUID,
    `log_id` Nullable(String) COMMENT 'The id that the client gave the log; null when the whole trace was judged.',
    `session_id` Nullable(String) COMMENT 'The session that was judged, up to this trace; null when the trace or a log was.',
    `name` LowCardinality(String) COMMENT 'What is judged.',
    `value` String COMMENT 'JSON of a boolean, a number or a text.',
    `number` Nullable(Float64) COMMENT 'The value for averages: true is 1, false is 0; null for texts.',
    `comment` Nullable(String),
    `created_at` DateTime64(3, 'UTC'),
    `source` LowCardinality(String) COMMENT 'Who gave it: api, or an evaluator.',
    `evaluator_slug` LowCardinality(Nullable(String)),
    `evaluator_version` LowCardinality(Nullable(String)),
    `model` LowCardinality(Nullable(String)) COMMENT 'The model that judged; null for other judges.',
    `judge_trace_id` Nullable(UUID) COMMENT 'The trace of the call of the model that judged; null for other judges.',
    `cost` Nullable(Float64) COMMENT 'US dollars for the judgement; null when unknown, or when no model judged.',
    `input_tokens` Nullable(Float64) COMMENT 'Of the judgement.',
    `output_tokens` Nullable(Float64) COMMENT 'Of the judgement.',
    `api_key_id` LowCardinality(Nullable(String)),
    `author` Nullable(String) COMMENT 'The name of the person or the API key that gave it, as it was then.',
    `user_id` Nullable(String) COMMENT 'The end user whose judgement it is.',
    `revision` UInt64 COMMENT 'Of rows of one score the highest is the one; 0 where a score is given once.',
    INDEX score_ids score_id TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(created_at)
ORDER BY (workspace_id, trace_id, score_id)
SETTINGS index_granularity = 1024, non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1, enable_block_number_column = 1, enable_block_offset_column = 1;

CREATE TABLE shard
(
    `number` UInt16 COMMENT 'From 1.',
    `shards` UInt16 COMMENT 'How many there are.'
)
ENGINE = MergeTree
ORDER BY number
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, index_granularity = 8192
COMMENT 'The place of this store among the shards of its installation.';

CREATE TABLE spans
(
    `workspace_id` LowCardinality(String) COMMENT 'The tenant. Every query names one.',
    `otel_trace_id` String COMMENT '32 hexadecimal digits.',
    `span_id` String COMMENT '16 hexadecimal digits.',
    `addition` String COMMENT 'Empty for the span itself; for an event that came as a log record, what tells it from others.',
    `received_at` DateTime64(3, 'UTC') COMMENT 'Arrival.',
    `version` UInt64 COMMENT 'Of rows of one span the highest is kept: that of the last arrival, of one that has ended before others.',
    `api_key_id` LowCardinality(String),
    `resolved` String COMMENT 'JSON of what its references mean; empty when it has none.' CODEC(ZSTD(1)),
    `span` String COMMENT 'JSON of the span, or of the event.' CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(version)
PARTITION BY toYYYYMMDD(received_at)
ORDER BY (workspace_id, otel_trace_id, span_id, addition)
TTL toDateTime(received_at) + toIntervalDay(8)
SETTINGS index_granularity = 1024, ttl_only_drop_parts = 1, non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1, enable_block_number_column = 1, enable_block_offset_column = 1;

CREATE TABLE traces
(
    `workspace_id` LowCardinality(String) COMMENT 'The tenant. Every query names one.',
    `trace_id` UUID COMMENT 'UUIDv7, made on arrival.',
    `received_at` DateTime64(3, 'UTC') COMMENT 'Arrival: the milliseconds of trace_id.',
    `start_us` Int64 COMMENT 'Microseconds since 1970, negative before. DateTime64 cannot hold the years 1 to 9999.' CODEC(NONE),
    `end_us` Nullable(Int64) COMMENT 'Microseconds since 1970; null when no end is known.' CODEC(NONE),
    `duration_us` Nullable(Int64) COMMENT 'Microseconds; null when no end is known.' CODEC(NONE),
    `name` String,
    `feature_slug` LowCardinality(Nullable(String)),
    `experiment_id` LowCardinality(Nullable(String)),
    `user_id` Nullable(String) COMMENT 'The end user of the application.',
    `user_name` Nullable(String),
    `user_key` UInt64 MATERIALIZED if(isNull(user_id), 0, sipHash64(assumeNotNull(user_id))) COMMENT 'Hash of user_id; 0 when absent.' CODEC(NONE),
    `organization_id` Nullable(String) COMMENT 'The organization of the end user; not a tenant.',
    `organization_name` Nullable(String),
    `organization_key` UInt64 MATERIALIZED if(isNull(organization_id), 0, sipHash64(assumeNotNull(organization_id))) COMMENT 'Hash of organization_id; 0 when absent.' CODEC(NONE),
    `session_id` Nullable(String),
    `session_key` UInt64 MATERIALIZED if(isNull(session_id), 0, sipHash64(assumeNotNull(session_id))) COMMENT 'Hash of session_id; 0 when absent.' CODEC(NONE),
    `environment` LowCardinality(Nullable(String)) COMMENT 'Where the application runs, as it was sent.',
    `release` LowCardinality(Nullable(String)) COMMENT 'Version of the application, as it was sent.',
    `tags` Array(LowCardinality(String)) COMMENT 'As they were sent; empty when absent.',
    `input` String COMMENT 'JSON; empty when absent.' CODEC(ZSTD(1)),
    `output` String COMMENT 'JSON; empty when absent.' CODEC(ZSTD(1)),
    `ideal_output` String COMMENT 'JSON; empty when absent.' CODEC(ZSTD(1)),
    `metadata` String COMMENT 'A JSON object as it was sent; empty when absent.' CODEC(ZSTD(1)),
    `metadata_texts` Map(String, String) COMMENT 'Top-level keys of metadata for filters: texts as they are, the rest as JSON.' CODEC(ZSTD(1)),
    `evaluators` String COMMENT 'JSON; empty when absent.' CODEC(ZSTD(1)),
    `judges` Array(LowCardinality(String)) DEFAULT arrayMap(of -> JSONExtractString(of, 'slug'), JSONExtractArrayRaw(evaluators)) COMMENT 'Slugs of the evaluators that it and its logs refer to, each once.',
    `evaluation_config` String COMMENT 'JSON; empty when absent.' CODEC(ZSTD(1)),
    `sampled` Bool COMMENT 'Whether evaluators judge it.',
    `sample_rate` Nullable(Float64),
    `sampled_by` LowCardinality(String) COMMENT 'What decided: experiment, trace, evaluator:SLUG, default, or client, which has drawn by itself. Empty when nothing would judge it, or it came before this was kept.',
    `warning` String COMMENT 'What its recording was answered with; empty when nothing.' CODEC(ZSTD(1)),
    `api_key_id` LowCardinality(Nullable(String)),
    `input_tokens` Float64 COMMENT 'Sum over its logs, each usage once. Clients may send fractions.' CODEC(NONE),
    `output_tokens` Float64 COMMENT 'Sum over its logs, each usage once.' CODEC(NONE),
    `total_tokens` Float64 MATERIALIZED input_tokens + output_tokens COMMENT 'Sum of input_tokens and output_tokens.' CODEC(NONE),
    `cost` Nullable(Float64) COMMENT 'US dollars; null when no log has a cost.' CODEC(NONE),
    `tokens_estimated` Bool COMMENT 'Whether a count in the sums is our own.',
    `errors` UInt32 COMMENT 'How many logs failed.',
    `log_count` UInt32,
    `models` Array(LowCardinality(String)),
    `log_types` Array(LowCardinality(String)) COMMENT 'The types of its logs, each once.',
    `prompts` Array(Tuple(
        String,
        String)) COMMENT 'Slug and served version of the prompts used; an empty version when none was served.',
    `sent` String COMMENT 'JSON of what has no column; empty when absent.' CODEC(ZSTD(1)),
    `revision` UInt64 COMMENT 'Grows when the trace is assembled anew; 0 for a trace that came whole. The highest is the one.',
    `otel_trace_id` String COMMENT 'OpenTelemetry\'s own id, 32 hexadecimal digits; empty for other traces.',
    `words` String ALIAS translate(lowerUTF8(replaceAll(replaceAll(replaceAll(replaceAll(replaceRegexpAll(concatWithSeparator('\n', name, input, output, ideal_output, metadata), '[",][A-Za-z0-9+/_-]{128,}={0,2}', ' '), '\\\\', ' '), '\\n', ' '), '\\t', ' '), '\\r', ' ')), '_.:;,!?@#$%&*+-=/|<>(){}[]"\'`^~\\\n\r\t', '                                   ') COMMENT 'What full-text search looks at: lower case, without the escapes of JSON, without punctuation and without base64.',
    INDEX received_at_range received_at TYPE minmax GRANULARITY 1,
    INDEX user_ids user_id TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX metadata_values mapValues(metadata_texts) TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX word_index words TYPE text(tokenizer = asciiCJK) GRANULARITY 100000000,
    INDEX otel_trace_ids otel_trace_id TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX revision_range revision TYPE minmax GRANULARITY 1,
    INDEX session_ids session_id TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(received_at)
ORDER BY (workspace_id, start_us, trace_id)
SETTINGS index_granularity = 1024, non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1, enable_block_number_column = 1, enable_block_offset_column = 1, min_bytes_for_wide_part = 67108864, min_compress_block_size = 8192;

CREATE TABLE traces_hourly
(
    `workspace_id` LowCardinality(String),
    `hour_us` Int64 COMMENT 'Start of the hour in which the traces started, in microseconds since 1970.',
    `feature_slug` LowCardinality(Nullable(String)),
    `experiment_id` LowCardinality(Nullable(String)),
    `traces` SimpleAggregateFunction(sum, UInt64),
    `failed_traces` SimpleAggregateFunction(sum, UInt64) COMMENT 'Traces with a failed log.',
    `errors` SimpleAggregateFunction(sum, UInt64) COMMENT 'Failed logs.',
    `logs` SimpleAggregateFunction(sum, UInt64),
    `input_tokens` SimpleAggregateFunction(sum, Float64),
    `output_tokens` SimpleAggregateFunction(sum, Float64),
    `cost` SimpleAggregateFunction(sum, Float64) COMMENT 'US dollars.',
    `priced` SimpleAggregateFunction(sum, UInt64) COMMENT 'Traces with a cost.',
    `duration_us` SimpleAggregateFunction(sum, Int64),
    `timed` SimpleAggregateFunction(sum, UInt64) COMMENT 'Traces with an end.'
)
ENGINE = AggregatingMergeTree
ORDER BY (workspace_id, hour_us, feature_slug, experiment_id)
SETTINGS allow_nullable_key = 1, non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1, index_granularity = 8192;

CREATE MATERIALIZED VIEW traces_to_hourly TO traces_hourly
(
    `workspace_id` LowCardinality(String),
    `hour_us` Int64,
    `feature_slug` LowCardinality(Nullable(String)),
    `experiment_id` LowCardinality(Nullable(String)),
    `traces` UInt64,
    `failed_traces` UInt64,
    `errors` UInt64,
    `logs` UInt64,
    `input_tokens` Float64,
    `output_tokens` Float64,
    `cost` Float64,
    `priced` UInt64,
    `duration_us` Int64,
    `timed` UInt64
)
AS SELECT
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
GROUP BY
    workspace_id,
    hour_us,
    feature_slug,
    experiment_id;
