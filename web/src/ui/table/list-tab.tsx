/** A tab with a list of resources to create, change and delete: their purpose, the create button, and the table. */
import type { ReactNode } from 'react'
import { ErrorState } from '../error-state.tsx'
import type { Column } from './columns.ts'
import { DataTable } from './data-table.tsx'

interface ListTabProps<Row> {
  /** Above the list. */
  readonly intro: ReactNode
  /** The actions beside it. */
  readonly actions?: ReactNode
  readonly label: string
  readonly columns: readonly Column<Row>[]
  /** Undefined while loading. */
  readonly rows: readonly Row[] | undefined
  readonly answer: { readonly isError: boolean; readonly error: unknown; refetch(): unknown }
  readonly sort: string | undefined
  readonly onSort: (sort: string | undefined) => void
  readonly empty: ReactNode
}

const idOf = ({ id }: { readonly id: string }): string => id

export function ListTab<Row extends { readonly id: string }>({
  intro,
  actions,
  label,
  columns,
  rows,
  answer,
  sort,
  onSort,
  empty,
}: ListTabProps<Row>) {
  if (answer.isError && rows === undefined)
    return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
  return (
    <div className="flex h-full min-h-0 flex-1 flex-col">
      <div className="flex flex-wrap items-end justify-between gap-4 px-4 py-3">
        {typeof intro === 'string' ? (
          <p className="prose-width self-center text-sm text-ink-2">{intro}</p>
        ) : (
          intro
        )}
        {actions}
      </div>
      <div className="flex min-h-60 flex-1 flex-col border-t border-line">
        <DataTable
          label={label}
          columns={columns}
          rows={rows}
          rowId={idOf}
          sort={sort}
          onSort={onSort}
          empty={empty}
        />
      </div>
    </div>
  )
}
