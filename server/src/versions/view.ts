import type { PromptVersion } from '@plumbline/contract'
import type { PromptVersion as StoredVersion } from '@plumbline/storage/control'
import { readModel } from '../prompts/model.ts'

/** A version as the interface shows it. */
export function toVersion(stored: StoredVersion): PromptVersion {
  const { version, text, systemText, model, tags, message, createdAt, createdBy } = stored
  return {
    version,
    text,
    systemText,
    model: readModel(model),
    tags,
    ...(message === '' ? {} : { message }),
    createdAt: createdAt.toISOString(),
    ...(createdBy === undefined ? {} : { createdBy }),
  }
}
