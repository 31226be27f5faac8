-- What an evaluator judges of the traces that arrive, besides those that name it.
ALTER TABLE evaluators ADD COLUMN live_rule text; -- JSON; empty: only what names it
