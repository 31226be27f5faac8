import type { PromptVersion } from '@plumbline/sdk'
import { ErrorState } from '../../ui/error-state.tsx'
import { Select } from '../../ui/form/select.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { useVersion } from './use-version.ts'
import { VersionDiff } from './version-diff.tsx'

interface VersionChangesProps {
  readonly slug: string
  readonly version: PromptVersion
  /** As far as they are loaded. */
  readonly versions: readonly PromptVersion[]
  /** The names of all of them, newest first. */
  readonly names: readonly string[]
  /** The version to compare with; the previous one by default. */
  readonly comparedVersion: string | undefined
  readonly onChoose: (version: string) => void
}

/** Compares a version with any other. */
export function VersionChanges({
  slug,
  version,
  versions,
  names,
  comparedVersion,
  onChoose,
}: VersionChangesProps) {
  const otherName = comparedVersion ?? names[names.indexOf(version.version) + 1]
  const other = useVersion(slug, otherName, versions)
  const choices = names
    .filter((name) => name !== version.version)
    .map((name) => {
      const tags = versions.find((candidate) => candidate.version === name)?.tags ?? []
      return { value: name, label: name, ...(tags.length > 0 && { hint: tags.join(', ') }) }
    })
  return (
    <div className="flex flex-col gap-4 p-4">
      {choices.length > 0 && (
        <div className="flex flex-wrap items-center gap-2 text-sm">
          <span className="text-ink-2">From</span>
          <Select
            label="Compare with"
            className="w-48"
            value={otherName}
            onChange={onChoose}
            choices={choices}
          />
          <span className="text-ink-2">to</span>
          <code className="min-w-0 font-mono font-medium break-words">{version.version}</code>
        </div>
      )}
      {otherName === undefined && <p className="text-sm text-ink-2">This is the first version.</p>}
      {other.error !== null ? (
        <ErrorState error={other.error} />
      ) : otherName !== undefined && other.version === undefined ? (
        <SkeletonRows count={4} />
      ) : (
        <VersionDiff before={other.version} after={version} />
      )}
    </div>
  )
}
