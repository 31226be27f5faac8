/** The changes in a dataset since one of its versions, row by row. */
import { ArrowLeft } from 'lucide-react'
import { type Output, usePages } from '../../app/api.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { type FieldDifference, fieldDifferences } from './field-differences.ts'

type Difference = Output<'datasetVersions.compare'>['rows'][number]

interface DifferencesProps {
  readonly slug: string
  readonly from: number
  readonly onBack: () => void
}

export function Differences({ slug, from, onBack }: DifferencesProps) {
  const differences = usePages('datasetVersions.compare', { slug, from, limit: 50 }, 'rows')
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-3">
        <Button size="small" icon={<ArrowLeft aria-hidden size={14} />} onClick={onBack}>
          Versions
        </Button>
        <h3 className="text-sm font-medium">Changes since version {from}</h3>
      </div>
      {differences.isError ? (
        <ErrorState error={differences.error} onRetry={() => void differences.refetch()} />
      ) : differences.data === undefined ? (
        <SkeletonRows />
      ) : (
        <>
          <ColumnChanges columns={differences.data.pages[0]?.columns} />
          {differences.items.length === 0 && <p className="text-sm text-ink-2">No row has changed.</p>}
          <ul aria-label="Changed rows" className="divide-y divide-line border-y border-line empty:hidden">
            {differences.items.map((difference) => (
              <RowDifference key={difference.id} difference={difference} />
            ))}
          </ul>
          {differences.hasNextPage && (
            <Button size="small" isBusy={differences.isFetchingNextPage} onClick={differences.loadMore}>
              Show more
            </Button>
          )}
        </>
      )}
    </div>
  )
}

function ColumnChanges({
  columns,
}: {
  readonly columns: Output<'datasetVersions.compare'>['columns'] | undefined
}) {
  if (columns === undefined || columns.added.length + columns.removed.length === 0) return null
  const names = (list: readonly { readonly name: string }[]): string =>
    list.map(({ name }) => name).join(', ')
  return (
    <p className="text-sm text-ink-2">
      {columns.added.length > 0 && `Columns added: ${names(columns.added)}. `}
      {columns.removed.length > 0 && `Columns removed: ${names(columns.removed)}.`}
    </p>
  )
}

const labels = { added: 'Added', removed: 'Removed', changed: 'Changed' } as const
const tones = { added: 'good', removed: 'bad', changed: 'neutral' } as const

const RowDifference = ({ difference }: { readonly difference: Difference }) => (
  <li className="flex items-start gap-3 py-2 text-sm">
    <span className="w-20 shrink-0">
      <Badge tone={tones[difference.change]}>{labels[difference.change]}</Badge>
    </span>
    <dl className="min-w-0 flex-1">
      {fieldDifferences(difference).map((field) => (
        <FieldChange key={field.name} field={field} />
      ))}
    </dl>
  </li>
)

const FieldChange = ({ field: { name, before, after } }: { readonly field: FieldDifference }) => (
  <div className="flex gap-2 max-sm:flex-col max-sm:gap-0">
    <dt className="w-28 shrink-0 truncate text-xs leading-5 text-ink-3" title={name} dir="auto">
      {name}
    </dt>
    <dd className="min-w-0 flex-1 break-words" dir="auto">
      {before !== '' && <del className="mr-2 text-bad">{before}</del>}
      {after !== '' && <ins className="text-good no-underline">{after}</ins>}
    </dd>
  </div>
)
