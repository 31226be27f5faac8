import type { PromptVersion, Rollout } from '@plumbline/sdk'
import { type DragEvent, useState } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { classNames } from '../../ui/class-names.ts'
import { formatPercent } from '../../ui/text/format.ts'
import { RelativeTime } from '../../ui/text/values.tsx'
import { draggedTag, TagChip } from './tag-chip.tsx'
import { sortTags } from './tag-moves.ts'

interface VersionListProps {
  readonly versions: readonly PromptVersion[]
  /** The running rollouts: candidates show their percentage of users. */
  readonly rollouts: readonly Rollout[]
  readonly openVersion: string | undefined
  readonly onChoose: (version: string) => void
  readonly onMoveTag: ((tag: string, version: string) => void) | undefined
  readonly onEnd: () => void
  readonly hasMore: boolean
}

/** The timeline of a prompt: its versions, newest first, with the tags they carry. */
export function VersionList({
  versions,
  rollouts,
  openVersion,
  onChoose,
  onMoveTag,
  onEnd,
  hasMore,
}: VersionListProps) {
  const [target, setTarget] = useState<string>()
  const dropOn = (version: string) => ({
    onDragOver: (event: DragEvent): void => {
      if (onMoveTag === undefined || !event.dataTransfer.types.includes(draggedTag)) return
      event.preventDefault()
      setTarget(version)
    },
    onDragLeave: () => setTarget(undefined),
    onDrop: (event: DragEvent): void => {
      const tag = event.dataTransfer.getData(draggedTag)
      setTarget(undefined)
      if (tag !== '') onMoveTag?.(tag, version)
    },
  })
  return (
    <ol aria-label="Versions" className="flex flex-col">
      {versions.map((item) => (
        <li
          key={item.version}
          {...dropOn(item.version)}
          className={classNames(
            'relative flex flex-col gap-1 border-b border-line py-2 pr-3 pl-8',
            'before:absolute before:top-0 before:bottom-0 before:left-4 before:w-px before:bg-line-strong first:before:top-4 last:before:bottom-auto last:before:h-4',
            item.version === openVersion ? 'bg-selected' : 'hover:bg-hover',
            item.version === target && 'outline-2 -outline-offset-2 outline-accent',
          )}
        >
          <VersionItem
            version={item}
            versions={versions}
            rollouts={rollouts}
            isChosen={item.version === openVersion}
            onChoose={onChoose}
            onMoveTag={onMoveTag}
          />
        </li>
      ))}
      {hasMore && (
        <li>
          <button
            type="button"
            onClick={onEnd}
            className="w-full px-4 py-2 text-left text-sm text-accent-ink hover:bg-hover"
          >
            Show older versions
          </button>
        </li>
      )}
    </ol>
  )
}

interface VersionItemProps
  extends Pick<VersionListProps, 'versions' | 'rollouts' | 'onChoose' | 'onMoveTag'> {
  readonly version: PromptVersion
  readonly isChosen: boolean
}

function VersionItem({ version: item, versions, rollouts, isChosen, onChoose, onMoveTag }: VersionItemProps) {
  const candidacies = rollouts.filter(({ candidateVersion }) => candidateVersion === item.version)
  return (
    <>
      <span
        aria-hidden
        className={classNames(
          'absolute top-3.5 left-3 size-2.25 rounded-full border-2',
          item.tags.includes('production') ? 'border-good bg-good' : 'border-line-control bg-surface',
        )}
      />
      <button
        type="button"
        aria-current={isChosen ? 'true' : undefined}
        onClick={() => onChoose(item.version)}
        className="flex flex-col text-left after:absolute after:inset-0 after:content-['']"
      >
        <span className="flex items-baseline gap-2">
          <code className="truncate font-mono text-sm font-medium" title={item.version}>
            {item.version}
          </code>
          <span className="ml-auto shrink-0 text-xs text-ink-3">
            <RelativeTime time={item.createdAt} />
          </span>
        </span>
        {item.message !== undefined && (
          <span dir="auto" className="line-clamp-2 text-xs wrap-anywhere text-ink-2" title={item.message}>
            {item.message}
          </span>
        )}
        {item.createdByName !== undefined && (
          <span className="truncate text-xs text-ink-3">{item.createdByName}</span>
        )}
      </button>
      {(item.tags.length > 0 || candidacies.length > 0) && (
        <div className="pointer-events-none relative z-1 flex flex-wrap gap-1 *:pointer-events-auto">
          {sortTags(item.tags).map((tag) => (
            <TagChip key={tag} tag={tag} version={item.version} versions={versions} onMove={onMoveTag} />
          ))}
          {candidacies.map(({ id, share, tag }) => (
            <Badge key={id} tone="accent" title="Served by a rollout">
              {formatPercent(share)} of {tag}
            </Badge>
          ))}
        </div>
      )}
    </>
  )
}
