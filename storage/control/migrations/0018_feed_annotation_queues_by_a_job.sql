-- One scheduled job feeds all queues: a claim of each is needed no more. How far each was fed stays.
ALTER TABLE annotation_queues DROP COLUMN feeding_until;
