import type { PromptVersion } from '@plumbline/sdk'
import { useQueries } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { queryFor, useClient, useRead } from '../../app/api.ts'
import { rangeInput, useRange } from '../../app/range/use-range.ts'
import { BarList } from '../../ui/charts/bar-list.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { formatCount } from '../../ui/text/format.ts'
import { type MetricsRow, numberIn } from '../prompt-usage.ts'
import { figureColumns } from './figure-columns.tsx'
import { figuresOf, scoreNames, type VersionFigures } from './figures.ts'
import { type TagHolders, tagsOn } from './tag-moves.ts'
import { useTagHolders } from './use-tag-holders.ts'

interface VersionFiguresProps {
  readonly slug: string
  readonly versions: readonly PromptVersion[]
  readonly sort: string | undefined
  readonly onSort: (sort: string | undefined) => void
  readonly onOpen: (version: string) => void
}

const rowId = ({ version }: VersionFigures): string => version
const noRows: readonly never[] = []

/**
 * The comparison of versions: uses, cost, speed and scores in the selected range, and the features that use the
 * prompt.
 */
export function VersionFiguresView({ slug, versions, sort, onSort, onOpen }: VersionFiguresProps) {
  const { range } = useRange()
  const navigate = useNavigate()
  const metricsQuery = { filters: JSON.stringify({ promptSlug: slug }), ...rangeInput(range) }
  const usage = useRead('metrics.query', {
    measures: 'logs,errors,cost,totalTokens,p50DurationMs,p95DurationMs',
    dimensions: 'promptVersion',
    ...metricsQuery,
  })
  const places = useRead('metrics.query', { measures: 'logs', dimensions: 'feature', ...metricsQuery })
  const used = usage.data?.rows.flatMap(({ promptVersion }) => (promptVersion ? [String(promptVersion)] : []))
  const scoreRows = useScores(slug, used ?? noRows, rangeInput(range))
  const { holders } = useTagHolders(slug)
  const rows = useMemo(
    () =>
      usage.data &&
      figuresOf(
        [...versions, ...otherVersions(usage.data.rows, versions, holders)],
        usage.data.rows,
        scoreRows,
      ),
    [versions, usage.data, scoreRows, holders],
  )
  const seeTraces = (q: string): void => void navigate({ to: '/traces', search: { q } })
  // biome-ignore lint/correctness/useExhaustiveDependencies: The columns follow the scores; what they call is the same for a prompt.
  const columns = useMemo(
    () =>
      figureColumns(scoreNames(scoreRows).slice(0, 6), (version) =>
        seeTraces(`prompt:${slug} promptVersion:${version}`),
      ),
    [scoreRows, slug],
  )
  if (usage.isError) return <ErrorState error={usage.error} onRetry={() => void usage.refetch()} />
  const features = (places.data?.rows ?? []).map((row) => ({
    key: String(row.feature ?? ''),
    label: row.feature ? String(row.feature) : 'No feature',
    value: numberIn(row, 'logs'),
  }))
  return (
    <div className="flex h-full min-h-80 flex-col">
      <section aria-label="Used by" className="flex shrink-0 flex-col gap-2 border-b border-line p-4">
        <h2 className="text-sm font-semibold">Used by features</h2>
        {features.length === 0 ? (
          <p className="text-sm text-ink-3">
            {places.data === undefined ? 'Loading…' : 'Not used in the selected range.'}
          </p>
        ) : (
          <div className="max-w-xl">
            <BarList
              label="Uses by feature"
              bars={features}
              format={formatCount}
              onPick={(feature) =>
                seeTraces(feature === '' ? `prompt:${slug}` : `prompt:${slug} feature:${feature}`)
              }
            />
          </div>
        )}
      </section>
      <DataTable
        label="Version comparison"
        columns={columns}
        rows={rows}
        rowId={rowId}
        sort={sort}
        onSort={onSort}
        onOpen={({ version }) => onOpen(version)}
      />
    </div>
  )
}

/** Used versions that are not on the loaded pages of the list. */
const otherVersions = (
  usage: readonly MetricsRow[],
  versions: readonly PromptVersion[],
  holders: TagHolders | undefined,
): readonly Pick<PromptVersion, 'version' | 'tags'>[] =>
  usage
    .flatMap(({ promptVersion }) => (promptVersion ? [String(promptVersion)] : []))
    .filter((name) => versions.every(({ version }) => version !== name))
    .map((version) => ({ version, tags: holders === undefined ? [] : tagsOn(version, holders) }))

/** The maximum number of versions to load scores for; a prompt rarely has more in use within one range. */
const scoredMax = 16

/** The scores of all traces in which each version ran, including scores of whole traces. */
function useScores(
  slug: string,
  versions: readonly string[],
  range: { readonly from: string; readonly to?: string },
): readonly MetricsRow[] {
  const client = useClient()
  return useQueries({
    queries: versions.slice(0, scoredMax).map((version) => {
      const where = [
        { field: 'prompt', is: [slug] },
        { field: 'promptVersion', is: [version] },
      ]
      return queryFor(client, 'metrics.query', {
        measures: 'avgScore,scores',
        dimensions: 'scoreName',
        filters: JSON.stringify({ where: JSON.stringify(where) }),
        ...range,
      })
    }),
    combine: (answers) =>
      answers.flatMap(({ data }, index) =>
        (data?.rows ?? []).map((row) => ({ ...row, promptVersion: versions[index] ?? '' })),
      ),
  })
}
