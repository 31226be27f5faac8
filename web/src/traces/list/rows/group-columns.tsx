/** The common columns of conversations, users and customers: the sums of their traces. */
import type { Conversation } from '@plumbline/sdk'
import { Badge } from '../../../ui/badge.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { formatScore } from '../../../ui/text/format.ts'
import { Count, Money, Nothing, RelativeTime, TokenSum } from '../../../ui/text/values.tsx'

type Group = Omit<Conversation, 'id' | 'firstInput' | 'lastOutput' | 'user' | 'organization'>

const scoresMax = 2

export const lastColumn: Column<Group> = {
  id: 'last',
  header: 'Last seen',
  width: 96,
  sortBy: true,
  cell: ({ lastTime }) => (
    <span className="text-ink-2">
      <RelativeTime time={lastTime} />
    </span>
  ),
}

export const failedColumn: Column<Group> = {
  id: 'errors',
  header: 'Failed',
  width: 76,
  align: 'right',
  sortBy: true,
  cell: ({ failed }) => (
    <span className={failed > 0 ? 'text-bad' : 'text-ink-3'}>
      <Count value={failed} />
    </span>
  ),
}

export const costColumn: Column<Group> = {
  id: 'cost',
  header: 'Cost',
  width: 108,
  align: 'right',
  sortBy: true,
  cell: ({ cost, tokensEstimated }) => <Money value={cost} isEstimate={tokensEstimated} />,
}

export const tokensColumn: Column<Group> = {
  id: 'tokens',
  header: 'Tokens',
  width: 84,
  align: 'right',
  sortBy: true,
  cell: ({ tokens, tokensEstimated }) => <TokenSum value={tokens} isEstimate={tokensEstimated} />,
}

export const scoresColumn: Column<Group> = {
  id: 'scores',
  header: 'Scores (mean)',
  width: 150,
  cell: ({ scores }) => <MeanScores scores={scores} />,
}

/** The mean of each score; for categories their number. */
export function MeanScores({ scores }: { readonly scores: Group['scores'] }) {
  if (scores.length === 0) return <Nothing />
  const text = ({ mean, count }: Group['scores'][number]): string =>
    mean === null ? `×${count}` : formatScore(mean)
  return (
    <span
      title={scores.map((score) => `${score.name}: ${text(score)} of ${score.count}`).join('\n')}
      className="flex min-w-0 flex-col items-start gap-0.5"
    >
      {scores.slice(0, scoresMax).map((score, index) => (
        <span key={score.name} className="flex max-w-full items-center gap-1">
          <Badge>
            <span dir="auto" className="truncate font-normal">
              {score.name}
            </span>
            <span className="shrink-0">{text(score)}</span>
          </Badge>
          {index === scoresMax - 1 && scores.length > scoresMax && (
            <span className="text-2xs text-ink-3">+{scores.length - scoresMax}</span>
          )}
        </span>
      ))}
    </span>
  )
}

/** The sort order from the URL: the latest first by default. */
export function groupOrder<Sort extends string>(text: string | undefined, sorts: readonly Sort[]) {
  const name = text?.replace(/^-/, '')
  const sort = sorts.find((candidate) => candidate === name)
  return sort === undefined
    ? {}
    : { sort, order: text?.startsWith('-') ? ('desc' as const) : ('asc' as const) }
}
