import { Badge, type Tone } from '../../ui/badge.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { Duration, Money, Tokens } from '../../ui/text/values.tsx'
import { Indent } from '../trace/tree/indent.tsx'
import { LogIcon } from '../trace/tree/log-icon.tsx'
import type { LogNode } from '../trace/tree/trace-tree.ts'
import { type AlignedLogs, type Figures, figuresOf } from './align.ts'
import { Delta } from './delta.tsx'

const changes: Readonly<Record<AlignedLogs['change'], { readonly label: string; readonly tone: Tone }>> = {
  same: { label: 'same', tone: 'neutral' },
  changed: { label: 'changed', tone: 'warn' },
  added: { label: 'only in B', tone: 'good' },
  removed: { label: 'only in A', tone: 'bad' },
}

const figure = (node: LogNode | undefined, name: keyof Figures): number | undefined =>
  node === undefined ? undefined : figuresOf(node)[name]

const figureColumns = (
  name: keyof Figures,
  header: string,
  Value: typeof Duration,
  unit: 'ms' | 'usd' | 'tokens',
): readonly Column<AlignedLogs>[] => [
  {
    id: name,
    header,
    width: 88,
    align: 'right',
    cell: ({ before, after }) => {
      const node = after ?? before
      const isEstimate = name !== 'durationMs' && node?.sums.tokensEstimated === true
      return <Value value={figure(node, name)} isEstimate={isEstimate} />
    },
  },
  {
    id: `${name}-delta`,
    header: 'Δ',
    width: 88,
    align: 'right',
    cell: ({ before, after }) => (
      <Delta before={figure(before, name)} after={figure(after, name)} unit={unit} />
    ),
  },
]

/**
 * The columns of aligned logs: the log, the figures of the second trace including everything below, and their
 * changes.
 */
export const diffColumns: readonly Column<AlignedLogs>[] = [
  {
    id: 'log',
    header: 'Log',
    width: 240,
    grow: 1,
    cell: ({ before, after }) => {
      const node = after ?? before
      if (node === undefined) return null
      return (
        <span className="flex items-center gap-1.5 [--indent:10px]">
          <Indent level={node.depth + 1} />
          <LogIcon type={node.log.type} />
          <span dir="auto" className="truncate" title={node.log.name ?? undefined}>
            {node.log.name ?? node.log.type}
          </span>
        </span>
      )
    },
  },
  {
    id: 'change',
    header: 'Difference',
    width: 160,
    cell: ({ change, before, after }) => (
      <span className="flex gap-1">
        <Badge tone={changes[change].tone}>{changes[change].label}</Badge>
        {before?.isFailed !== after?.isFailed && before && after && (
          <Badge tone={after.isFailed ? 'bad' : 'good'}>{after.isFailed ? 'fails in B' : 'fails in A'}</Badge>
        )}
      </span>
    ),
  },
  ...figureColumns('durationMs', 'Time', Duration, 'ms'),
  ...figureColumns('cost', 'Cost', Money, 'usd'),
  ...figureColumns('tokens', 'Tokens', Tokens, 'tokens'),
]
