import type { PromptVersion } from '@plumbline/sdk'
import { Select } from '../../ui/form/select.tsx'
import { VersionDiff } from './version-diff.tsx'

interface VersionChangesProps {
  readonly version: PromptVersion
  readonly versions: readonly PromptVersion[]
  /** The version compared with; the one before where the person chose none. */
  readonly comparedVersion: string | undefined
  readonly onChoose: (version: string) => void
}

/** A version beside any other one. */
export function VersionChanges({ version, versions, comparedVersion, onChoose }: VersionChangesProps) {
  const before = versions[versions.indexOf(version) + 1]
  const other = versions.find((candidate) => candidate.version === comparedVersion) ?? before
  const choices = versions
    .filter((candidate) => candidate !== version)
    .map((candidate) => ({
      value: candidate.version,
      label: candidate.version,
      ...(candidate.tags.length > 0 && { hint: candidate.tags.join(', ') }),
    }))
  return (
    <div className="flex flex-col gap-4 p-4">
      {choices.length > 0 && (
        <div className="flex flex-wrap items-center gap-2 text-sm">
          <span className="text-ink-2">From</span>
          <Select
            label="Compare with"
            className="w-48"
            value={other?.version}
            onChange={onChoose}
            choices={choices}
          />
          <span className="text-ink-2">to</span>
          <code className="font-mono font-medium">{version.version}</code>
        </div>
      )}
      {other === undefined && <p className="text-sm text-ink-2">This is the first version.</p>}
      <VersionDiff before={other} after={version} />
    </div>
  )
}
