/** One turn: its messages, and beside them its cost, failures and scores. */
import type { ConversationTurn } from '@plumbline/sdk'
import { Link } from '@tanstack/react-router'
import { CircleAlert, MessagesSquare, Star } from 'lucide-react'
import { useMemo } from 'react'
import { CommentsButton } from '../comments/comments-button.tsx'
import { scoreText } from '../traces/list/rows/trace-cells.tsx'
import { Chat } from '../traces/messages/chat.tsx'
import type { ReadingMode } from '../traces/messages/reading-mode.tsx'
import { ValueView } from '../traces/messages/value-view.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Duration, ExactTime, Money, TokenSum } from '../ui/text/values.tsx'
import { newInput, newOutput } from './turn-messages.ts'

interface TurnViewProps {
  readonly turn: ConversationTurn
  /** Counts from 1. */
  readonly number: number
  readonly mode: ReadingMode
  /** Absent for users who may not score. */
  readonly onScore: (() => void) | undefined
}

export function TurnView({ turn, number, mode, onScore }: TurnViewProps) {
  const input = useMemo(() => newInput(turn.input), [turn.input])
  const output = useMemo(() => newOutput(turn.output), [turn.output])
  return (
    <li
      aria-label={`Turn ${number}`}
      className="grid grid-cols-[minmax(0,1fr)_16rem] gap-x-8 gap-y-2 border-b border-line px-4 py-5 max-lg:grid-cols-1"
    >
      <div className="flex min-w-0 max-w-[80ch] flex-col gap-3">
        {turn.input !== null &&
          (input === undefined || mode === 'json' ? (
            <ValueView value={turn.input} side="input" mode={mode} label={`Input of turn ${number}`} />
          ) : (
            <Chat messages={input} mode={mode} label={`Input of turn ${number}`} />
          ))}
        {turn.output !== null &&
          (output === undefined || mode === 'json' ? (
            <ValueView value={turn.output} side="output" mode={mode} label={`Output of turn ${number}`} />
          ) : (
            <Chat messages={output} mode={mode} label={`Output of turn ${number}`} />
          ))}
        {turn.input === null && turn.output === null && turn.error === null && (
          <p className="text-sm text-ink-3">The trace has neither input nor output.</p>
        )}
        {turn.error !== null && (
          <p className="flex gap-2 rounded bg-bad-surface px-3 py-2 text-sm text-bad">
            <CircleAlert aria-hidden size={16} className="mt-0.5 shrink-0" />
            <span dir="auto" className="min-w-0 break-words">
              {turn.error}
            </span>
          </p>
        )}
        {turn.isShortened && (
          <p className="text-xs text-ink-3">Long texts are truncated here. The trace has the full text.</p>
        )}
      </div>
      <TurnMargin turn={turn} onScore={onScore} />
    </li>
  )
}

function TurnMargin({ turn, onScore }: Pick<TurnViewProps, 'turn' | 'onScore'>) {
  const { traceId, name, startTime, totals, scores } = turn
  return (
    <aside className="flex min-w-0 flex-col items-start gap-2 text-xs text-ink-2 max-lg:flex-row max-lg:flex-wrap max-lg:items-center">
      <Link
        to="/traces/$id"
        params={{ id: traceId }}
        dir="auto"
        className="max-w-full truncate font-medium text-accent-ink hover:underline"
      >
        {name}
      </Link>
      <span className="text-ink-3">
        <ExactTime time={startTime} />
      </span>
      <span className="flex flex-wrap gap-x-3">
        <span title="Duration">
          <Duration value={totals.durationMs} />
        </span>
        <span title="Cost">
          <Money value={totals.cost} isEstimate={totals.tokensEstimated} />
        </span>
        <span title="Tokens">
          <TokenSum value={totals.inputTokens + totals.outputTokens} isEstimate={totals.tokensEstimated} />{' '}
          tokens
        </span>
      </span>
      {scores.length > 0 && (
        <ul className="flex flex-wrap gap-1" aria-label="Scores">
          {scores.map(({ id, name, value, comment, author, sessionId }) => (
            <li key={id} className="max-w-full">
              <Badge
                tone={typeof value === 'boolean' ? (value ? 'good' : 'bad') : 'neutral'}
                title={[sessionId === null ? author : 'The conversation up to this turn', comment]
                  .filter(Boolean)
                  .join(': ')}
              >
                {sessionId !== null && <MessagesSquare role="img" aria-label="conversation" size={12} />}
                <span dir="auto" className="truncate font-normal">
                  {name}
                </span>
                <span className="shrink-0">{scoreText(value)}</span>
              </Badge>
            </li>
          ))}
        </ul>
      )}
      <span className="flex flex-wrap gap-1">
        {onScore !== undefined && (
          <Button size="small" icon={<Star aria-hidden size={12} />} onClick={onScore}>
            Score
          </Button>
        )}
        <CommentsButton subjectType="trace" subjectId={traceId} size="small" hasCount={false} />
      </span>
    </aside>
  )
}
