/** The columns of the list of traces: those that are always there, keys of metadata, and names of scores. */
import type { TraceSummary } from '@plumbline/sdk'
import { CircleAlert } from 'lucide-react'
import type { Column } from '../../ui/columns.ts'
import { nothing } from '../../ui/format.ts'
import { Count, Duration, ExactTime, Money, RelativeTime, Tokens } from '../../ui/values.tsx'
import { addressOf } from '../trace/trace-address.ts'
import type { SlowOf } from './duration-rank.ts'
import { previewText } from './preview-text.ts'
import type { ScoresOf } from './score-texts.ts'

/** What the service sorts by, by the column. */
export const sortNames: Readonly<
  Record<string, 'start' | 'received' | 'duration' | 'cost' | 'tokens' | 'errors' | undefined>
> = {
  start: 'start',
  received: 'received',
  duration: 'duration',
  cost: 'cost',
  tokens: 'tokens',
  errors: 'errors',
}

interface Shown {
  readonly scoresOf: ScoresOf
  readonly slowOf: SlowOf
}

type TraceColumn = Column<TraceSummary>

const plain = (text: string | null | undefined) =>
  text === null || text === undefined || text === '' ? (
    <span className="text-ink-3">{nothing}</span>
  ) : (
    <span dir="auto" title={text}>
      {text}
    </span>
  )

const preview = (json: string | null) => (
  <span dir="auto" className="text-ink-2">
    {previewText(json)}
  </span>
)

export const traceColumns = (
  { scoresOf, slowOf }: Shown,
  names: readonly string[],
): readonly TraceColumn[] => [
  {
    id: 'start',
    header: 'Start',
    width: 104,
    sortBy: true,
    cell: ({ startTime }) => (
      <span className="text-ink-2">
        <RelativeTime time={startTime} />
      </span>
    ),
  },
  { id: 'name', header: 'Name', width: 150, grow: 2, isFixed: true, cell: (trace) => <Name trace={trace} /> },
  { id: 'input', header: 'Input', width: 140, grow: 4, cell: ({ inputPreview }) => preview(inputPreview) },
  {
    id: 'output',
    header: 'Output',
    width: 140,
    grow: 4,
    cell: ({ outputPreview }) => preview(outputPreview),
  },
  {
    id: 'duration',
    header: 'Duration',
    width: 96,
    align: 'right',
    sortBy: true,
    cell: (trace) => {
      const slow = slowOf(trace)
      return (
        <span className={slow === undefined ? undefined : 'text-warn'} title={slow}>
          <Duration value={trace.totals.durationMs} />
        </span>
      )
    },
  },
  {
    id: 'cost',
    header: 'Cost',
    width: 92,
    align: 'right',
    sortBy: true,
    cell: ({ totals }) => <Money value={totals.cost} isEstimate={totals.tokensEstimated} />,
  },
  {
    id: 'tokens',
    header: 'Tokens',
    width: 84,
    align: 'right',
    sortBy: true,
    cell: ({ totals }) => (
      <Tokens value={totals.inputTokens + totals.outputTokens} isEstimate={totals.tokensEstimated} />
    ),
  },
  {
    id: 'models',
    header: 'Models',
    width: 130,
    grow: 1,
    cell: ({ totals }) => plain(totals.models.join(', ')),
  },
  {
    id: 'feature',
    header: 'Feature',
    width: 120,
    grow: 1,
    isExtra: true,
    cell: ({ featureSlug }) => plain(featureSlug),
  },
  {
    id: 'errors',
    header: 'Errors',
    width: 76,
    align: 'right',
    sortBy: true,
    isExtra: true,
    cell: ({ totals }) => (
      <span className={totals.errors > 0 ? 'text-bad' : undefined}>
        <Count value={totals.errors} />
      </span>
    ),
  },
  {
    id: 'user',
    header: 'User',
    width: 120,
    grow: 1,
    isExtra: true,
    cell: ({ user }) => plain(user && (user.name || user.id)),
  },
  {
    id: 'organization',
    header: 'Organization',
    width: 120,
    grow: 1,
    isExtra: true,
    cell: ({ organization }) => plain(organization && (organization.name || organization.id)),
  },
  { id: 'session', header: 'Session', isExtra: true, cell: ({ sessionId }) => plain(sessionId) },
  { id: 'experiment', header: 'Experiment', isExtra: true, cell: ({ experiment }) => plain(experiment?.id) },
  {
    id: 'logs',
    header: 'Logs',
    width: 72,
    align: 'right',
    isExtra: true,
    cell: ({ logCount }) => <Count value={logCount} />,
  },
  {
    id: 'inputTokens',
    header: 'Input tokens',
    width: 84,
    align: 'right',
    isExtra: true,
    cell: ({ totals }) => <Tokens value={totals.inputTokens} isEstimate={totals.tokensEstimated} />,
  },
  {
    id: 'outputTokens',
    header: 'Output tokens',
    width: 84,
    align: 'right',
    isExtra: true,
    cell: ({ totals }) => <Tokens value={totals.outputTokens} isEstimate={totals.tokensEstimated} />,
  },
  {
    id: 'startTime',
    header: 'Start (exact)',
    width: 180,
    isExtra: true,
    cell: ({ startTime }) => <ExactTime time={startTime} />,
  },
  {
    id: 'received',
    header: 'Received',
    width: 104,
    sortBy: true,
    isExtra: true,
    cell: ({ receivedAt }) => <RelativeTime time={receivedAt} />,
  },
  ...names.map((id) => namedColumn(id, scoresOf)),
]

/** `metadata.KEY` or `score.NAME`. */
function namedColumn(id: string, scoresOf: ScoresOf): TraceColumn {
  const name = id.slice(id.indexOf('.') + 1)
  if (id.startsWith('score.')) {
    return {
      id,
      header: name,
      width: 96,
      align: 'right',
      isExtra: true,
      cell: (trace) => <ScoreCell shown={scoresOf(trace.id, name)} />,
    }
  }
  return {
    id,
    header: id,
    width: 120,
    grow: 1,
    isExtra: true,
    cell: ({ metadata }) => plain(textOf(metadata?.[name])),
  }
}

const textOf = (value: unknown): string | undefined =>
  value === undefined || value === null
    ? undefined
    : typeof value === 'string'
      ? value
      : JSON.stringify(value)

/** A link, so that another tab may open it; a plain click is the row's. */
function Name({ trace }: { readonly trace: TraceSummary }) {
  const { id, name, totals, warning } = trace
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      {totals.errors > 0 && (
        <CircleAlert
          role="img"
          aria-label={`${totals.errors} failed`}
          size={14}
          className="shrink-0 text-bad"
        />
      )}
      <a
        href={addressOf(id)}
        tabIndex={-1}
        dir="auto"
        title={warning === null ? name : `${name}\n${warning}`}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) event.stopPropagation()
          else event.preventDefault()
        }}
        className="truncate font-medium"
      >
        {name}
      </a>
    </span>
  )
}

function ScoreCell({ shown }: { readonly shown: ReturnType<ScoresOf> }) {
  if (shown === undefined) return <span className="text-ink-3">{nothing}</span>
  const { latest, count } = shown
  const { value, comment } = latest
  const title = [comment, count > 1 && `The latest of ${count}`].filter(Boolean).join('\n')
  if (typeof value === 'number')
    return (
      <span title={title || undefined}>
        <Count value={Math.round(value * 1000) / 1000} />
      </span>
    )
  if (typeof value === 'string')
    return (
      <span dir="auto" title={title || value}>
        {value}
      </span>
    )
  return (
    <span title={title || undefined} className={value ? 'text-good' : 'text-bad'}>
      {value ? 'yes' : 'no'}
    </span>
  )
}
