import type { AnnotationQueue } from '@plumbline/sdk'
import { Badge } from '../ui/badge.tsx'
import type { Column } from '../ui/table/columns.ts'
import { formatPercent } from '../ui/text/format.ts'
import { Count, Nothing, RelativeTime } from '../ui/text/values.tsx'
import { ProgressBar } from './progress-bar.tsx'

export const queueColumns: readonly Column<AnnotationQueue>[] = [
  {
    id: 'name',
    header: 'Name',
    width: 180,
    grow: 3,
    sortBy: ({ name }) => name.toLowerCase(),
    cell: ({ name }) => (
      <span dir="auto" className="truncate font-medium" title={name}>
        {name}
      </span>
    ),
  },
  {
    id: 'done',
    header: 'Done',
    width: 190,
    sortBy: ({ progress }) => (progress.items === 0 ? 0 : progress.done / progress.items),
    cell: ({ name, progress }) => (
      <ProgressBar label={`${name}: done`} done={progress.done} total={progress.items} />
    ),
  },
  {
    id: 'left',
    header: 'Open for you',
    width: 104,
    align: 'right',
    sortBy: ({ progress }) => progress.left,
    cell: ({ progress }) => <Count value={progress.left} />,
  },
  {
    id: 'judged',
    header: 'Done by you',
    width: 100,
    align: 'right',
    sortBy: ({ progress }) => progress.judged,
    cell: ({ progress }) => <Count value={progress.judged} />,
  },
  {
    id: 'evaluators',
    header: 'Scored with',
    width: 140,
    grow: 2,
    cell: ({ evaluatorSlugs }) => (
      <span className="truncate text-ink-2" title={evaluatorSlugs.join(', ')}>
        {evaluatorSlugs.join(', ')}
      </span>
    ),
  },
  {
    id: 'people',
    header: 'People per item',
    width: 116,
    align: 'right',
    sortBy: ({ annotatorsPerItem }) => annotatorsPerItem,
    cell: ({ annotatorsPerItem }) => <Count value={annotatorsPerItem} />,
  },
  {
    id: 'feed',
    header: 'Automatic feed',
    width: 140,
    cell: ({ feed }) =>
      feed === null ? (
        <Nothing />
      ) : (
        <Badge tone="info" title="Percentage of new traces added automatically">
          {formatPercent(feed.share)} {feed.featureSlug == null ? 'of all' : `of ${feed.featureSlug}`}
        </Badge>
      ),
  },
  {
    id: 'created',
    header: 'Created',
    width: 110,
    sortBy: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <RelativeTime time={createdAt} />,
  },
]
