-- What decided whether a trace is judged, and who would judge it; and texts of logs that nothing reads.

ALTER TABLE traces ADD COLUMN IF NOT EXISTS judges Array(LowCardinality(String)) DEFAULT arrayMap(of -> JSONExtractString(of, 'slug'), JSONExtractArrayRaw(evaluators)) COMMENT 'Slugs of the evaluators that it and its logs refer to, each once.' AFTER evaluators;
ALTER TABLE traces ADD COLUMN IF NOT EXISTS sampled_by LowCardinality(String) COMMENT 'What decided: experiment, trace, evaluator:SLUG, default, or client, which has drawn by itself. Empty when nothing would judge it, or it came before this was kept.' AFTER sample_rate;
ALTER TABLE logs DROP COLUMN IF EXISTS metadata_texts;
