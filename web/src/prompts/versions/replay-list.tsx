/** Recorded calls beside their replays: outputs, scores, costs and times. */
import type { Replay } from '@plumbline/sdk'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ScoreValue } from '../../evaluators/scores/score-value.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Duration, Money, RelativeTime } from '../../ui/text/values.tsx'
import { changeOf, summarize } from './replay-results.ts'

export function ReplayList({ replays }: { readonly replays: readonly Replay[] }) {
  if (replays.length === 0)
    return <p className="text-sm text-ink-2">No calls of this prompt are recorded yet.</p>
  const { same, changed, failed, cost, scores } = summarize(replays)
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm">
        <strong className="font-semibold">
          {replays.length} {replays.length === 1 ? 'call' : 'calls'}: {same} same, {changed} changed
          {failed > 0 && `, ${failed} failed`}
        </strong>
        {cost !== null && (
          <span className="text-ink-2">
            {' '}
            for <Money value={cost} />
          </span>
        )}
      </p>
      {scores.length > 0 && (
        <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
          {scores.map(({ evaluatorSlug, better, worse, same: sameCount }) => (
            <li key={evaluatorSlug}>
              <span className="font-medium">{evaluatorSlug}</span>:{' '}
              <span className="text-good">{better} better</span>,{' '}
              <span className={worse > 0 ? 'text-bad' : ''}>{worse} worse</span>, {sameCount} same
            </li>
          ))}
        </ul>
      )}
      <ul aria-label="Replayed calls" className="flex flex-col">
        {replays.map((replay) => (
          <ReplayRow key={`${replay.traceId} ${replay.logId}`} replay={replay} />
        ))}
      </ul>
    </div>
  )
}

function ReplayRow({ replay }: { readonly replay: Replay }) {
  const { traceId, startTime, variables, missingVariables, recorded, replayed, problem, isSame } = replay
  const [isLong, setLong] = useState(false)
  const values = Object.entries(variables)
  return (
    <li className="flex flex-col gap-1.5 border-t border-line py-2.5 text-sm">
      <p className="flex min-w-0 items-baseline gap-2">
        <Link
          to="/traces/$id"
          params={{ id: traceId }}
          target="_blank"
          className="shrink-0 text-accent-ink hover:underline"
        >
          {startTime === null ? 'Trace' : <RelativeTime time={startTime} />}
        </Link>
        <span dir="auto" className="min-w-0 flex-1 truncate text-ink-2">
          {values.map(([label, value]) => `${label}: ${textOf(value)}`).join(' · ')}
        </span>
        <Badge tone={problem === null ? undefined : 'bad'}>
          {problem !== null ? 'Failed' : isSame ? 'Same' : 'Changed'}
        </Badge>
      </p>
      {missingVariables.length > 0 && problem === null && (
        <p className="text-xs text-warn">
          The call did not record {missingVariables.join(', ')}: rendered as empty.
        </p>
      )}
      <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
        <Side title="Recorded" side={recorded} isLong={isLong} />
        {replayed === null ? (
          <p className="break-words text-bad">{problem}</p>
        ) : (
          <Side title="Replayed" side={replayed} before={recorded} isLong={isLong} />
        )}
      </div>
      {[recorded.output, replayed?.output].some((output) => textOf(output).length > shortChars) && (
        <Button size="small" className="self-start" onClick={() => setLong(!isLong)}>
          {isLong ? 'Show less' : 'Show all'}
        </Button>
      )}
    </li>
  )
}

const shortChars = 200

interface SideProps {
  readonly title: string
  readonly side: Replay['recorded']
  readonly before?: Replay['recorded']
  readonly isLong: boolean
}

function Side({ title, side, before, isLong }: SideProps) {
  const { version, output, cost, durationMs, scores } = side
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <p className="flex flex-wrap items-center gap-x-2 text-xs text-ink-3">
        <span>
          {title}
          {version !== null && ` on ${version}`}
        </span>
        <Money value={cost} />
        <Duration value={durationMs} />
      </p>
      <p
        dir="auto"
        className={classNames(
          'rounded-sm bg-sunken p-2 break-words whitespace-pre-wrap',
          isLong ? 'max-h-80 overflow-y-auto' : 'line-clamp-4',
        )}
      >
        {textOf(output)}
      </p>
      {scores.length > 0 && (
        <ul className="flex flex-col gap-1 text-xs">
          {scores.map((score) => {
            const change = changeOf(
              before?.scores.find(({ evaluatorSlug }) => evaluatorSlug === score.evaluatorSlug),
              score,
            )
            return (
              <li key={score.evaluatorSlug} className="flex min-w-0 items-center gap-2" title={score.comment}>
                <span className="truncate text-ink-2">{score.evaluatorSlug}</span>
                <ScoreValue value={score.value} />
                {change === 'better' && <span className="text-good">better</span>}
                {change === 'worse' && <span className="text-bad">worse</span>}
                {score.value === null && <span className="truncate text-ink-3">{score.comment}</span>}
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : (JSON.stringify(value, null, 2) ?? '')
