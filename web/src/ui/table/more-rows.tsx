import { Button } from '../button.tsx'
import { sentenceOf } from '../error-state.tsx'

/** The rows behind those of a list, which come page by page. */
export interface MoreRows {
  /** Loads the next page, if there is one. */
  readonly load: () => void
  /** Why the next page did not come. Nothing asks for it again by itself. */
  readonly error: Error | null
}

/** Below the rows that are there: that there are more, why they are missing, and another try. */
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
