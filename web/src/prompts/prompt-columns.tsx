import type { PromptSummary, Rollout } from '@plumbline/sdk'
import { Badge } from '../ui/badge.tsx'
import { Sparkline } from '../ui/charts/sparkline.tsx'
import type { Column } from '../ui/table/columns.ts'
import { formatPercent } from '../ui/text/format.ts'
import { Count, Money, Nothing, RelativeTime } from '../ui/text/values.tsx'
import type { PromptUsage } from './prompt-usage.ts'
import { isMovable, productionTag, sortTags } from './versions/tag-moves.ts'

type UsageOf = (slug: string) => PromptUsage | undefined

export function StatusBadge({ status, archivedAt }: Pick<PromptSummary, 'status' | 'archivedAt'>) {
  if (archivedAt !== undefined) return <Badge>Archived</Badge>
  return status === 'live' ? <Badge tone="good">Live</Badge> : <Badge tone="warn">Draft</Badge>
}

/** A running rollout, as a badge. */
const RolloutBadge = ({
  candidateVersion,
  share,
  tag,
}: Pick<Rollout, 'candidateVersion' | 'share' | 'tag'>) => (
  <Badge tone="accent" title={`${candidateVersion} is served to ${formatPercent(share)} of ${tag}`}>
    {candidateVersion} at {formatPercent(share)}
  </Badge>
)

/** As many tags as fit; the rest are listed on hover. */
function TagBadges({ tags }: { readonly tags: readonly string[] }) {
  return (
    <span className="flex items-center gap-1 overflow-hidden" title={tags.join('\n')}>
      {tags.slice(0, 2).map((tag) => (
        <Badge key={tag} tone={tag === productionTag ? 'good' : 'neutral'}>
          {tag}
        </Badge>
      ))}
      {tags.length > 2 && <span className="text-xs text-ink-3">+{tags.length - 2}</span>}
    </span>
  )
}

/** The columns of the prompts; usage and rollouts may still be loading. */
export const promptColumns = (
  usageOf: UsageOf,
  rollouts: readonly Rollout[],
): readonly Column<PromptSummary>[] => [
  {
    id: 'name',
    header: 'Prompt',
    width: 220,
    grow: 2,
    sortBy: ({ name }) => name.toLowerCase(),
    cell: ({ name, slug, folder }) => (
      <span
        className="flex items-baseline gap-2"
        title={`${folder === undefined ? '' : `${folder}/`}${name}\n${slug}`}
      >
        {folder !== undefined && (
          <span className="max-w-40 min-w-0 shrink-[900] truncate text-ink-3 max-sm:hidden">{folder}/</span>
        )}
        <span dir="auto" className="truncate font-medium">
          {name}
        </span>
        <code className="min-w-0 shrink-[900] truncate font-mono text-xs text-ink-3 max-sm:hidden">
          {slug}
        </code>
      </span>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    width: 88,
    sortBy: ({ status }) => status,
    cell: (prompt) => <StatusBadge {...prompt} />,
  },
  {
    id: 'version',
    header: 'Newest',
    width: 96,
    cell: ({ availableVersions: [newest, ...older] }) =>
      newest === undefined ? (
        <span className="text-ink-3">None yet</span>
      ) : (
        <span title={`${older.length + 1} versions`}>
          <code className="font-mono text-xs">{newest}</code>
          {older.length > 0 && <span className="text-2xs text-ink-3"> of {older.length + 1}</span>}
        </span>
      ),
  },
  {
    id: 'tags',
    header: 'Tags',
    width: 216,
    grow: 1,
    cell: ({ slug, availableTags }) => (
      <span className="flex min-w-0 items-center gap-1">
        <TagBadges tags={sortTags(availableTags).filter(isMovable)} />
        {rollouts
          .filter(({ promptSlug }) => promptSlug === slug)
          .map((rollout) => (
            <RolloutBadge key={rollout.id} {...rollout} />
          ))}
      </span>
    ),
  },
  {
    id: 'feature',
    header: 'Feature',
    width: 128,
    grow: 1,
    sortBy: ({ featureSlug }) => featureSlug ?? '',
    cell: ({ featureSlug }) => featureSlug ?? <Nothing />,
  },
  ...usageColumns(usageOf),
]

const usageColumns = (usageOf: UsageOf): readonly Column<PromptSummary>[] => [
  {
    id: 'uses',
    header: 'Uses',
    width: 152,
    align: 'right',
    sortBy: ({ slug }) => usageOf(slug)?.uses ?? 0,
    cell: ({ slug }) => {
      const usage = usageOf(slug)
      return (
        <span className="flex items-center justify-end gap-2">
          {usage !== undefined && usage.course.length > 1 && (
            <Sparkline values={usage.course} label="Uses over time" width={64} />
          )}
          <Count value={usage?.uses ?? 0} />
        </span>
      )
    },
  },
  {
    id: 'cost',
    header: 'Cost',
    width: 92,
    align: 'right',
    sortBy: ({ slug }) => usageOf(slug)?.cost ?? 0,
    cell: ({ slug }) => <Money value={usageOf(slug)?.cost} />,
  },
  {
    id: 'used',
    header: 'Last used',
    width: 104,
    align: 'right',
    sortBy: ({ slug }) => usageOf(slug)?.lastUsedAt ?? '',
    cell: ({ slug }) => {
      const lastUsedAt = usageOf(slug)?.lastUsedAt
      return lastUsedAt === undefined ? (
        <span title="Not used in the selected range">
          <Nothing />
        </span>
      ) : (
        <RelativeTime time={lastUsedAt} />
      )
    },
  },
]
