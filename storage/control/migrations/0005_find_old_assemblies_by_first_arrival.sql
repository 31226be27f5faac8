-- Spans are kept for a time after they came, so a trace takes more of them for a time after its first.
DROP INDEX assemblies_by_age;
CREATE INDEX assemblies_by_age ON assemblies (first_at);
