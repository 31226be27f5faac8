import type { EvaluatorVersion } from '@plumbline/sdk'
import { Badge } from '../ui/badge.tsx'
import { classNames } from '../ui/class-names.ts'
import { exactNumber, formatCount } from '../ui/text/format.ts'
import { RelativeTime } from '../ui/text/values.tsx'

interface VersionListProps {
  readonly versions: readonly EvaluatorVersion[]
  readonly openVersion: number | undefined
  readonly onChoose: (version: number) => void
}

/** The versions of an evaluator, newest first. */
export function VersionList({ versions, openVersion, onChoose }: VersionListProps) {
  return (
    <ol aria-label="Versions" className="flex flex-col">
      {versions.map(({ version, createdAt, createdByName, scores, isCurrent }) => (
        <li key={version}>
          <button
            type="button"
            aria-current={version === openVersion ? 'true' : undefined}
            onClick={() => onChoose(version)}
            className={classNames(
              'flex w-full flex-col gap-0.5 border-b border-line px-4 py-2 text-left',
              version === openVersion ? 'bg-selected' : 'hover:bg-hover',
            )}
          >
            <span className="flex w-full items-center gap-2">
              <span className="numbers font-medium">v{version}</span>
              {isCurrent && <Badge tone="good">current</Badge>}
              <span className="ml-auto shrink-0 text-xs text-ink-3">
                <RelativeTime time={createdAt} />
              </span>
            </span>
            <span className="flex w-full gap-2 text-xs text-ink-3">
              <span className="min-w-0 flex-1 truncate">{createdByName}</span>
              <span title={`${exactNumber(scores)} scores`}>
                {formatCount(scores)} {scores === 1 ? 'score' : 'scores'}
              </span>
            </span>
          </button>
        </li>
      ))}
    </ol>
  )
}
