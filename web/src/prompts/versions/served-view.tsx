/** The versions still in use: fetches by API key, and uses in traces. */
import type { VersionUsage } from '@plumbline/sdk'
import { Radio } from 'lucide-react'
import { useRead } from '../../app/api.ts'
import { rangeInput, useRange } from '../../app/range/use-range.ts'
import { Badge } from '../../ui/badge.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Count, RelativeTime } from '../../ui/text/values.tsx'
import { productionTag, sortTags } from './tag-moves.ts'
import { VersionButton } from './version-button.tsx'

interface ServedViewProps {
  readonly slug: string
  readonly onOpen: (version: string) => void
}

export function ServedView({ slug, onOpen }: ServedViewProps) {
  const { range } = useRange()
  const usage = useRead('prompts.usage', { slug, ...rangeInput(range) }, { refreshMs: 10_000 })
  if (usage.isError && usage.data === undefined)
    return <ErrorState error={usage.error} onRetry={() => void usage.refetch()} />
  if (usage.data === undefined) return <SkeletonRows count={4} />
  const { versions } = usage.data
  if (versions.every(({ lastSeenAt }) => lastSeenAt === null))
    return (
      <EmptyState icon={<Radio size={20} />} title="Not in use">
        No API key fetched it and no trace used it in the selected range. Here you can see which applications
        still use an old version, by API key.
      </EmptyState>
    )
  return (
    <div className="flex flex-col gap-4 p-4">
      {versions.map((version) => (
        <VersionCard key={version.version} usage={version} onOpen={onOpen} />
      ))}
    </div>
  )
}

function VersionCard({ usage, onOpen }: { readonly usage: VersionUsage } & Pick<ServedViewProps, 'onOpen'>) {
  const { version, tags, fetches, traces, lastSeenAt } = usage
  return (
    <section aria-label={`Version ${version}`} className="rounded border border-line">
      <header className="flex min-h-10 flex-wrap items-center gap-2 px-3 py-1.5">
        <VersionButton version={version} onOpen={onOpen} />
        {sortTags(tags).map((tag) => (
          <Badge key={tag} tone={tag === productionTag ? 'good' : 'neutral'}>
            {tag}
          </Badge>
        ))}
        <span className="ml-auto flex gap-1 text-xs text-ink-3">
          {lastSeenAt === null ? (
            'not seen'
          ) : (
            <>
              last seen <RelativeTime time={lastSeenAt} />
            </>
          )}
        </span>
      </header>
      {lastSeenAt !== null && (
        <div className="grid grid-cols-2 border-t border-line *:p-3 max-md:grid-cols-1 md:divide-x md:divide-line">
          <Uses
            title="Fetched by"
            total={fetches.count}
            none="Not fetched"
            uses={fetches.keys.map(({ tag, ...key }) => ({
              ...key,
              id: `${key.apiKeyId} ${tag}`,
              source: tag === '' ? 'by version' : tag,
            }))}
          />
          <Uses
            title="Traces recorded by"
            total={traces.count}
            none="Not used"
            uses={traces.keys.map((key) => ({ ...key, id: key.apiKeyId, source: undefined }))}
          />
        </div>
      )}
    </section>
  )
}

interface UsesProps {
  readonly title: string
  readonly total: number
  readonly none: string
  readonly uses: readonly {
    readonly id: string
    readonly apiKeyId: string
    readonly apiKeyName?: string
    readonly source: string | undefined
    readonly count: number
    readonly lastAt: string | null
  }[]
}

/** API keys by name, with the count and the time of the last use. */
const Uses = ({ title, total, none, uses }: UsesProps) => (
  <div className="flex min-w-0 flex-col gap-1">
    <h4 className="flex justify-between text-xs font-medium text-ink-2">
      {title}
      {total > 0 && <Count value={total} />}
    </h4>
    {uses.length === 0 ? (
      <p className="text-sm text-ink-3">{none} in the selected range.</p>
    ) : (
      <ul className="flex flex-col">
        {uses.map(({ id, apiKeyId, apiKeyName, source, count, lastAt }) => (
          <li key={id} className="flex min-h-7 items-center gap-2 text-sm">
            <span dir="auto" className="min-w-0 truncate" title={`${apiKeyName ?? ''}\n${apiKeyId}`.trim()}>
              {apiKeyName ?? (apiKeyId === '' ? 'No key' : 'Deleted key')}
            </span>
            {source !== undefined && <Badge>{source}</Badge>}
            <span className="ml-auto flex shrink-0 items-baseline gap-3">
              <Count value={count} />
              <span className="w-20 text-right text-xs text-ink-3">
                <RelativeTime time={lastAt} />
              </span>
            </span>
          </li>
        ))}
      </ul>
    )}
  </div>
)
