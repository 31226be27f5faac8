-- Which rows of the dataset a run is over, so that a comparison can say so.
ALTER TABLE experiment_runs ADD COLUMN split text; -- only rows in it; empty: of every split
ALTER TABLE experiment_runs ADD COLUMN label text; -- only rows with it; empty: with any labels
