import { Button } from '../ui/button.tsx'
import { exactNumber } from '../ui/text/format.ts'

interface StatusBarProps {
  readonly count: number
  readonly selectedCount: number
  /** The number of rows read so far while more are loading; undefined otherwise. */
  readonly readCount: number | undefined
  /** Whether not all rows could be read. */
  readonly hasFailed: boolean
  readonly savingCount: number
  /** Cells whose text could not be saved. */
  readonly unsavedCount: number
  readonly mayChange: boolean
  /** Retries saving them. */
  readonly onSaveAgain: () => void
  readonly onDiscard: () => void
}

/** The status bar below the grid: row counts, save state and keys. */
export const StatusBar = ({
  count,
  selectedCount,
  readCount,
  hasFailed,
  savingCount,
  unsavedCount,
  mayChange,
  onSaveAgain,
  onDiscard,
}: StatusBarProps) => (
  <footer className="flex h-8 shrink-0 items-center gap-4 border-t border-line px-4 text-xs text-ink-3">
    <span className="numbers">
      {exactNumber(count)} {count === 1 ? 'row' : 'rows'}
      {selectedCount > 0 && `, ${exactNumber(selectedCount)} selected`}
    </span>
    {hasFailed ? (
      <span className="text-bad">Not all rows could be read</span>
    ) : (
      readCount !== undefined && <span className="numbers">Reading: {exactNumber(readCount)}</span>
    )}
    <span role="status">
      {savingCount > 0
        ? 'Saving…'
        : unsavedCount > 0 && (
            <span className="text-bad">
              {exactNumber(unsavedCount)} {unsavedCount === 1 ? 'cell is' : 'cells are'} not saved
            </span>
          )}
    </span>
    {savingCount === 0 && unsavedCount > 0 && (
      <span className="flex gap-2">
        <Button size="small" onClick={onSaveAgain}>
          Save again
        </Button>
        <Button size="small" onClick={onDiscard}>
          Discard
        </Button>
      </span>
    )}
    <span className="ml-auto truncate max-lg:hidden">
      {mayChange
        ? 'Enter to edit · type to replace · Shift+Enter for a new line · Ctrl+Enter to open the row · Ctrl+Z to undo'
        : 'Enter to open the row'}
    </span>
  </footer>
)
