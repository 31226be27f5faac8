/** A failure, with a remedy, the request id, and a retry button. */
import { RequestFailed, ServiceUnreachable } from '@plumbline/sdk'
import { CircleAlert } from 'lucide-react'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { isMissingCode } from './missing-code.ts'

interface Sentences {
  readonly title: string
  readonly description: string
  readonly requestId?: string | undefined
}

/** A failure in plain words: what happened, and what to do. */
export function sentenceOf(error: unknown): Sentences {
  if (error instanceof ServiceUnreachable) {
    return {
      title: 'The service is not responding',
      description: 'Check that it is running and that you are online, then try again.',
    }
  }
  if (isMissingCode(error)) {
    return {
      title: 'A part of the web app is missing',
      description: 'The service was upgraded while this page was open. “Try again” reloads the page.',
    }
  }
  if (!(error instanceof RequestFailed)) {
    const description = error instanceof Error ? error.message : String(error)
    return { title: 'Something went wrong in the web app', description }
  }
  const { status, message, requestId } = error
  if (status === 403)
    return { title: 'You don’t have permission to do this', description: message, requestId }
  if (status === 404) return { title: 'Not found', description: message, requestId }
  if (status === 429)
    return { title: 'Too many requests', description: `${message} Wait a moment.`, requestId }
  if (status >= 500) return { title: 'The service had an error', description: message, requestId }
  return { title: 'The service rejected this request', description: message, requestId }
}

/** A rejected request would be rejected again: only another URL or permission helps. */
const mayPass = (error: unknown): boolean =>
  !(error instanceof RequestFailed) || error.status >= 500 || error.status === 429

interface ErrorStateProps {
  readonly error: unknown
  readonly onRetry?: () => void
}

export function ErrorState({ error, onRetry }: ErrorStateProps) {
  const { title, description, requestId } = sentenceOf(error)
  return (
    <div role="alert" className="mx-auto flex max-w-md flex-col items-center gap-3 px-4 py-12 text-center">
      <CircleAlert aria-hidden size={24} className="text-bad" />
      <div>
        <h2 className="text-lg font-medium">{title}</h2>
        <p className="break-words text-ink-2">{description}</p>
      </div>
      {requestId !== undefined && (
        <p className="flex items-center gap-1 text-xs text-ink-3">
          Request <code className="font-mono">{requestId}</code>
          <CopyButton text={requestId} label="Copy request ID" />
        </p>
      )}
      {onRetry !== undefined && mayPass(error) && <Button onClick={onRetry}>Try again</Button>}
    </div>
  )
}
