-- Of a span that came several times, one that has ended is kept before one that says it still runs. The engine can be
-- told so only when a table is made. What was assembled of the old rows stays; they are needed for traces that grow.
DROP TABLE IF EXISTS spans;

CREATE TABLE IF NOT EXISTS spans (
  workspace_id LowCardinality(String) COMMENT 'The tenant. Every query names one.',
  otel_trace_id String COMMENT '32 hexadecimal digits.',
  span_id String COMMENT '16 hexadecimal digits.',
  addition String COMMENT 'Empty for the span itself; for an event that came as a log record, what tells it from others.',
  received_at DateTime64(3, 'UTC') COMMENT 'Arrival.',
  version UInt64 COMMENT 'Of rows of one span the highest is kept: that of the last arrival, of one that has ended before others.',
  api_key_id LowCardinality(String),
  resolved String COMMENT 'JSON of what its references mean; empty when it has none.' CODEC(ZSTD(1)),
  span String COMMENT 'JSON of the span, or of the event.' CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(version)
PARTITION BY toYYYYMMDD(received_at)
ORDER BY (workspace_id, otel_trace_id, span_id, addition)
TTL toDateTime(received_at) + INTERVAL 8 DAY
SETTINGS index_granularity = 1024, ttl_only_drop_parts = 1, non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;
