-- A trace that is assembled again must not get the scores back that were deleted.
ALTER TABLE assemblies ADD COLUMN deleted_scores text; -- ids of scores of its spans that were deleted, separated by spaces; empty: none
