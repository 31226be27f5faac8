import { classNames } from '../../ui/class-names.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type GridField, textOf } from './fields.ts'
import { FileValue } from './file-value.tsx'
import type { StoredRow } from './row-types.ts'

interface CellTextProps {
  readonly row: StoredRow | undefined
  readonly field: GridField
  /** The row exists and is not loaded yet. */
  readonly isAbsent: boolean
}

/** Longer texts are truncated in the cell; the editor shows them in full. */
const shownMax = 400

/** A cell while it is not edited. */
export function CellText({ row, field, isAbsent }: CellTextProps) {
  if (isAbsent) return <Skeleton className="h-3 w-3/5" />
  const text = row === undefined ? '' : textOf(row, field)
  if (text === '') return null
  if (field.type === 'image' || field.type === 'file')
    return <FileValue value={text} isImage={field.type === 'image'} />
  return (
    <span
      dir="auto"
      className={classNames(
        'block min-w-0 flex-1 truncate',
        field.type === 'json' && 'font-mono text-xs text-ink-2',
      )}
    >
      {text.slice(0, shownMax)}
    </span>
  )
}
