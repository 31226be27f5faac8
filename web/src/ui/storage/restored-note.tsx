import { Button } from '../button.tsx'

interface RestoredNoteProps {
  /** Whether edited values have been changed by others meanwhile. */
  readonly isOutdated?: boolean
  readonly onDiscard: () => void
}

/** Shown above a restored draft. */
export const RestoredNote = ({ isOutdated = false, onDiscard }: RestoredNoteProps) => (
  <p role="status" className="flex items-center gap-2 text-sm text-ink-2">
    This is your unsaved draft.
    {isOutdated && ' Values you edited have been changed since; saving overwrites them.'}
    <Button size="small" onClick={onDiscard}>
      Start again
    </Button>
  </p>
)
