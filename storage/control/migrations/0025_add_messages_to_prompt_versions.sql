-- A version may be a list of messages, and carry settings of the application's own.
ALTER TABLE prompt_versions ADD COLUMN messages text; -- JSON: [{role, content} | {placeholder}]; empty: text and system_text are all of it
ALTER TABLE prompt_versions ADD COLUMN config text; -- JSON: an object of the application's; empty: not told
