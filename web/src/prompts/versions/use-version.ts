import type { PromptVersion } from '@plumbline/sdk'
import { useRead } from '../../app/api.ts'

export interface VersionRead {
  /** Undefined while loading, and if there is none. */
  readonly version: PromptVersion | undefined
  readonly error: Error | null
}

const none: readonly PromptVersion[] = []

/** A version by name: from the loaded list, else read separately. Undefined without a name. */
export function useVersion(
  slug: string | undefined,
  name: string | undefined,
  versions: readonly PromptVersion[] = none,
): VersionRead {
  const match = versions.find(({ version }) => version === name)
  const isRead = slug !== undefined && name !== undefined && match === undefined
  const read = useRead('versions.get', { slug: slug ?? '', version: name ?? '' }, { enabled: isRead })
  if (match !== undefined) return { version: match, error: null }
  // While this version loads, the response still belongs to another one.
  const isOther = !isRead || read.isPlaceholderData
  return { version: isOther ? undefined : read.data?.version, error: isRead ? read.error : null }
}
