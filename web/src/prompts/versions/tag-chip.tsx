import type { PromptVersion } from '@plumbline/sdk'
import { Tag } from 'lucide-react'
import { classNames } from '../../ui/class-names.ts'
import { Menu } from '../../ui/overlay/menu.tsx'
import { isMovable, productionTag } from './tag-moves.ts'

interface TagChipProps {
  readonly tag: string
  readonly version: string
  readonly versions: readonly PromptVersion[]
  /** Absent for users who may not move it. */
  readonly onMove: ((tag: string, version: string) => void) | undefined
}

const chipClass =
  'inline-flex h-5 max-w-40 items-center gap-1 rounded-sm px-1.5 text-xs font-medium whitespace-nowrap'

/** The drag type of a tag, which versions accept. */
export const draggedTag = 'application/x-plumbline-tag'

const offeredMax = 15

/** A tag on the version that carries it: dragged onto another version, or moved by its menu. */
export function TagChip({ tag, version, versions, onMove }: TagChipProps) {
  const look = tag === productionTag ? 'bg-good-surface text-good' : 'bg-hover text-ink-2'
  const label = (
    <>
      <Tag aria-hidden size={11} className="shrink-0" />
      <span className="truncate">{tag}</span>
    </>
  )
  if (onMove === undefined || !isMovable(tag))
    return (
      <span
        className={classNames(chipClass, look)}
        title={isMovable(tag) ? tag : 'Always on the newest version'}
      >
        {label}
      </span>
    )
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          draggable
          aria-label={`Move the tag ${tag}`}
          title="Drag to another version, or click"
          onDragStart={(event) => {
            event.dataTransfer.setData(draggedTag, tag)
            event.dataTransfer.effectAllowed = 'move'
          }}
          className={classNames(chipClass, look, 'cursor-grab outline-offset-1 hover:brightness-95')}
        >
          {label}
        </button>
      }
      items={versions
        .filter((other) => other.version !== version)
        .slice(0, offeredMax)
        .map((other) => ({
          label: `Move to ${other.version}`,
          onSelect: () => onMove(tag, other.version),
        }))}
    />
  )
}
