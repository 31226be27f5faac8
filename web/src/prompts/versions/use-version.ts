import type { PromptVersion } from '@plumbline/sdk'
import { useRead } from '../../app/api.ts'

export interface VersionRead {
  /** Undefined until it is read, and where there is none. */
  readonly version: PromptVersion | undefined
  readonly error: Error | null
}

const none: readonly PromptVersion[] = []

/**
 * A version by its name: of the list as far as that is loaded, else read by itself. Without a name there is none.
 */
export function useVersion(
  slug: string | undefined,
  name: string | undefined,
  versions: readonly PromptVersion[] = none,
): VersionRead {
  const match = versions.find(({ version }) => version === name)
  const isRead = slug !== undefined && name !== undefined && match === undefined
  const read = useRead('versions.get', { slug: slug ?? '', version: name ?? '' }, { enabled: isRead })
  if (match !== undefined) return { version: match, error: null }
  // The response about another version stays while this one loads.
  const isOther = !isRead || read.isPlaceholderData
  return { version: isOther ? undefined : read.data?.version, error: isRead ? read.error : null }
}
