import { Button } from '../button.tsx'
import { sentenceOf } from '../error-state.tsx'

/** The further pages of a list. */
export interface MoreRows {
  /** Loads the next page, if there is one. */
  readonly load: () => void
  /** Why the next page failed to load. It is not retried automatically. */
  readonly error: Error | null
}

/** Shown below the loaded rows: that more are loading, or the failure with a retry button. */
export function MoreFailed({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  const { title, description } = sentenceOf(error)
  return (
    <p
      role="alert"
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-3 py-2 text-sm"
    >
      <span className="min-w-0 break-words text-ink-2">
        <span className="font-medium text-bad">More rows could not be loaded.</span> {title}. {description}
      </span>
      <Button size="small" onClick={onRetry}>
        Try again
      </Button>
    </p>
  )
}
