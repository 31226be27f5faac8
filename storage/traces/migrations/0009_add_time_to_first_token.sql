-- How long a generation took to begin its response.

ALTER TABLE logs ADD COLUMN IF NOT EXISTS time_to_first_token_ms Nullable(Float64) COMMENT 'Milliseconds from the start, as sent; null when absent.' AFTER duration_us;
