-- Prompts stand in folders, which are no more than a path.
ALTER TABLE prompts ADD COLUMN folder text; -- such as support/refunds; empty: in none
