import type { AnnotationItem, TraceSummary } from '@plumbline/sdk'
import { previewText } from '../traces/list/rows/preview-text.ts'
import { Badge } from '../ui/badge.tsx'
import type { Column } from '../ui/table/columns.ts'
import { nothing } from '../ui/text/format.ts'
import { RelativeTime } from '../ui/text/values.tsx'
import { WhoHasIt } from './who-has-it.tsx'

/** An item, with its trace if it still exists. */
export interface ListedItem {
  readonly item: AnnotationItem
  readonly trace: TraceSummary | undefined
  readonly annotatorsPerItem: number
}

export const itemColumns: readonly Column<ListedItem>[] = [
  {
    id: 'trace',
    header: 'Trace',
    width: 150,
    grow: 1,
    cell: ({ item, trace }) => (
      <span className="flex min-w-0 items-baseline gap-2">
        <span dir="auto" className="truncate font-medium" title={trace?.name}>
          {trace?.name ?? item.traceId}
        </span>
        {item.logId !== null && <Badge title="A log in the trace">{item.logId.slice(0, 24)}</Badge>}
      </span>
    ),
  },
  {
    id: 'input',
    header: 'Input',
    width: 160,
    grow: 3,
    cell: ({ trace }) => (
      <span dir="auto" className="truncate text-ink-2">
        {trace?.inputPreview == null ? nothing : previewText(trace.inputPreview)}
      </span>
    ),
  },
  {
    id: 'state',
    header: 'Annotations',
    width: 96,
    cell: ({ item, annotatorsPerItem }) => {
      const scoredCount = item.turns.filter(({ status }) => status === 'judged').length
      return item.isDone ? (
        <Badge tone="good">done</Badge>
      ) : (
        <span className="numbers text-ink-2">
          {scoredCount} of {annotatorsPerItem}
        </span>
      )
    },
  },
  {
    id: 'who',
    header: 'Assigned to',
    width: 232,
    grow: 1,
    cell: ({ item }) => (
      // Names stay on one line: a second would overlap the next row.
      <div className="max-h-5 overflow-hidden">
        <WhoHasIt turns={item.turns} />
      </div>
    ),
  },
  {
    id: 'judgedAt',
    header: 'Last annotated',
    width: 110,
    cell: ({ item }) => <RelativeTime time={item.judgedAt} />,
  },
  {
    id: 'added',
    header: 'Added',
    width: 100,
    cell: ({ item }) => <RelativeTime time={item.addedAt} />,
  },
]
