import { Link } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import type { Message } from '../traces/messages/message.ts'
import type { ReadingMode } from '../traces/messages/reading-mode.tsx'
import { Badge } from '../ui/badge.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Duration, Money, Tokens } from '../ui/text/values.tsx'
import { LazyChat } from './lazy-chat.tsx'
import { isUnderWay, type Run } from './run.ts'

interface RunOutputProps {
  readonly run: Run
  /** Its accessible name. */
  readonly label: string
  readonly mode: ReadingMode
}

/** The output of a model as it streams, and then its usage. */
export function RunOutput({ run, label, mode }: RunOutputProps) {
  const messages = messagesOf(run)
  return (
    <section aria-label={label} aria-busy={isUnderWay(run)} className="flex min-w-0 flex-col gap-2">
      {run.state === 'waiting' && <p className="text-sm text-ink-3">Queued…</p>}
      {run.state === 'running' && messages.length === 0 && (
        <p className="text-sm text-ink-3">Waiting for the first token…</p>
      )}
      {messages.length > 0 && <LazyChat label={`Output of ${label}`} messages={messages} mode={mode} />}
      {run.state === 'failed' && (
        <div role="alert" className="flex gap-2 rounded bg-bad-surface p-3 text-sm text-bad">
          <CircleAlert aria-hidden size={16} className="mt-0.5 shrink-0" />
          <div className="min-w-0 flex-1">
            <p className="break-words">{run.problem}</p>
            {run.requestId !== undefined && (
              <p className="flex items-center gap-1 text-xs">
                Request <code className="truncate font-mono">{run.requestId}</code>
                <CopyButton text={run.requestId} label="Copy request ID" />
              </p>
            )}
          </div>
        </div>
      )}
      {run.state === 'stopped' && <p className="text-sm text-ink-3">Stopped.</p>}
      {run.doneEvent !== undefined && <Figures doneEvent={run.doneEvent} text={run.text} />}
    </section>
  )
}

const messagesOf = ({ reasoning, text, toolCalls }: Run): readonly Message[] => {
  const parts: Message['parts'] = [
    ...(reasoning === '' ? [] : [{ type: 'reasoning', text: reasoning } as const]),
    ...(text === '' ? [] : [{ type: 'text', text } as const]),
    ...toolCalls.map(({ id, name, arguments: args }) => ({ type: 'toolCall', id, name, args }) as const),
  ]
  return parts.length === 0 ? [] : [{ role: 'assistant', name: undefined, parts }]
}

interface FiguresProps {
  readonly doneEvent: NonNullable<Run['doneEvent']>
  readonly text: string
}

function Figures({ doneEvent, text }: FiguresProps) {
  const { usage, cost, durationMs, firstTokenMs, finishReason, traceId } = doneEvent
  return (
    <footer className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-ink-2">
      <span title="From the request to the last token">
        <Duration value={durationMs} />
      </span>
      <span title="From the request to the first token">
        first <Duration value={firstTokenMs} />
      </span>
      <span>
        <Tokens value={usage?.inputTokens} /> in
      </span>
      <span>
        <Tokens value={usage?.outputTokens} /> out
        {usage !== null && usage.reasoning > 0 && (
          <span className="text-ink-3">
            {' '}
            (<Tokens value={usage.reasoning} /> reasoning)
          </span>
        )}
      </span>
      <Money value={cost} />
      {finishReason !== 'stop' && finishReason !== 'tool-calls' && <Badge tone="warn">{finishReason}</Badge>}
      {traceId !== undefined && (
        <Link to="/traces" search={{ open: traceId }} className="text-accent-ink hover:underline">
          Trace
        </Link>
      )}
      {text !== '' && (
        <span className="-my-1 ml-auto">
          <CopyButton text={text} label="Copy output" />
        </span>
      )}
    </footer>
  )
}
