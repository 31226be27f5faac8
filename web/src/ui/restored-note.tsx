import { Button } from './button.tsx'

/** Above what somebody typed before this visit. */
export const RestoredNote = ({ onDiscard }: { readonly onDiscard: () => void }) => (
  <p role="status" className="flex items-center gap-2 text-sm text-ink-2">
    This is your unsaved draft.
    <Button size="small" onClick={onDiscard}>
      Start again
    </Button>
  </p>
)
