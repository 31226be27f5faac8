import { ListTree } from 'lucide-react'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { Count, Duration, Money, Tokens } from '../../ui/text/values.tsx'
import type { VersionFigures } from './figures.ts'
import { productionTag } from './tag-moves.ts'

const figure = (
  id: string,
  header: string,
  readFigure: (row: VersionFigures) => number | null,
  Value: typeof Count,
  width = 116,
): Column<VersionFigures> => ({
  id,
  header,
  width,
  align: 'right',
  sortBy: (row) => readFigure(row) ?? -1,
  cell: (row) => <Value value={readFigure(row)} />,
})

/** The columns of the version comparison, with one per score. The others are narrow, so that scores stay visible. */
export const figureColumns = (
  scores: readonly string[],
  onTraces: (version: string) => void,
): readonly Column<VersionFigures>[] => [
  {
    id: 'version',
    header: 'Version',
    width: 184,
    grow: 1,
    cell: ({ version, tags }) => (
      <span className="flex items-center gap-1">
        <code className="max-w-40 shrink-0 truncate font-mono text-xs font-medium" title={version}>
          {version}
        </code>
        {tags.includes(productionTag) && <Badge tone="good">{productionTag}</Badge>}
      </span>
    ),
  },
  figure('uses', 'Uses', ({ uses }) => uses, Count, 72),
  {
    ...figure('errors', 'Errors', ({ errors }) => errors, Count),
    width: 72,
    cell: ({ errors }) => (
      <span className={errors > 0 ? 'text-bad' : undefined}>
        <Count value={errors} />
      </span>
    ),
  },
  figure('cost', 'Cost', ({ cost }) => cost, Money, 92),
  figure('costPerUse', 'Cost per use', ({ costPerUse }) => costPerUse, Money, 108),
  figure('tokens', 'Tokens per use', ({ tokensPerUse }) => tokensPerUse, Tokens),
  figure('p50', 'p50', ({ p50Ms }) => p50Ms, Duration, 80),
  figure('p95', 'p95', ({ p95Ms }) => p95Ms, Duration, 80),
  ...scores.map((name) => figure(`score.${name}`, name, (row) => row.scores.get(name) ?? null, Score)),
  {
    id: 'traces',
    header: '',
    width: 64,
    align: 'right',
    cell: ({ version, uses }) =>
      uses > 0 && (
        <IconButton
          size="small"
          label={`Traces of ${version}`}
          onClick={(event) => {
            event.stopPropagation()
            onTraces(version)
          }}
        >
          <ListTree aria-hidden size={14} />
        </IconButton>
      ),
  },
]

const Score: typeof Count = ({ value }) =>
  value === null || value === undefined ? (
    <Count value={value} />
  ) : (
    <span className="numbers" title={String(value)}>
      {Number(value.toPrecision(3))}
    </span>
  )
