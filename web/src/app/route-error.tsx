import type { ErrorComponentProps } from '@tanstack/react-router'
import { ErrorState } from '../ui/error-state.tsx'
import { isMissingCode } from '../ui/missing-code.ts'

/** A screen that failed, within the frame. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  return <ErrorState error={error} onRetry={isMissingCode(error) ? () => location.reload() : reset} />
}
