import { isObject, readJson, readTime } from '../unreadable-rows.ts'

/** One immutable text of a prompt. */
export type PromptVersion = {
  id: string
  version: string
  text: string
  systemText: string
  /** JSON text. */
  model: string
  /** JSON text. */
  variables: string | undefined
  /** JSON text of a list; absent if there are only `text` and `systemText`. */
  messages: string | undefined
  /** JSON text of an object defined by the application. */
  config: string | undefined
  message: string
  /** The tags that point at it now. */
  tags: string[]
  createdAt: Date
  /** Id of the API key; absent if it was created in the web app or by the server. */
  createdBy: string | undefined
}

/** A row of prompt_versions. */
export type VersionRow = {
  id: string
  ordinal: number
  version: string
  text: string
  system_text: string
  model: string
  variables: string | null
  message: string
  created_at: number
  created_by: string | null
  messages: string | null
  config: string | null
}

/** A row of prompt_tags. */
export type TagRow = { prompt_id: string; label: string; version: string }

/** A version with those of its prompt's tags that point at it. */
export function toPromptVersion(row: VersionRow, tags: readonly TagRow[]): PromptVersion {
  const { id, version, text, model, message } = row
  return {
    id,
    version,
    text,
    systemText: row.system_text,
    model: readJson(model, 'model', isObject),
    variables: row.variables ?? undefined,
    messages: row.messages ?? undefined,
    config: row.config ?? undefined,
    message,
    tags: tags.filter((tag) => tag.version === version).map(({ label }) => label),
    createdAt: readTime(row.created_at, 'created_at'),
    createdBy: row.created_by ?? undefined,
  }
}
