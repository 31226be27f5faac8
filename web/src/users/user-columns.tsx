/** The columns of the lists of users and customers. */
import type { EndOrganization, EndUser } from '@plumbline/sdk'
import { Link } from '@tanstack/react-router'
import { hasValues, writeClause } from '../traces/filter/filter-text.ts'
import {
  costColumn,
  failedColumn,
  lastColumn,
  scoresColumn,
  tokensColumn,
} from '../traces/list/rows/group-columns.tsx'
import type { Column } from '../ui/table/columns.ts'
import { nothing } from '../ui/text/format.ts'
import { Count } from '../ui/text/values.tsx'

/** The filter for the traces of a user or a customer. */
export const filterOf = (field: 'user' | 'organization', id: string): string =>
  writeClause(hasValues(field, [id]))

interface NamedProps {
  readonly row: { readonly id: string; readonly name: string }
}

const Named = ({ row: { id, name } }: NamedProps) => (
  <span className="flex min-w-0 flex-col">
    <span title={name || id} className="truncate font-medium">
      <bdi>{name || id}</bdi>
    </span>
    {name !== '' && (
      <span title={id} className="truncate font-mono text-xs text-ink-3">
        {id}
      </span>
    )}
  </span>
)

const countColumn = <Row,>(id: string, header: string, count: (row: Row) => number): Column<Row> => ({
  id,
  header,
  width: 84,
  align: 'right',
  sortBy: true,
  cell: (row) => <Count value={count(row)} />,
})

const sessionsColumn = <Row extends { readonly id: string; readonly sessions: number }>(
  field: 'user' | 'organization',
): Column<Row> => ({
  id: 'sessions',
  header: 'Conversations',
  width: 116,
  align: 'right',
  sortBy: true,
  cell: ({ id, sessions }) =>
    sessions === 0 ? (
      <Count value={0} />
    ) : (
      <Link
        to="/conversations"
        search={{ q: filterOf(field, id) }}
        onClick={(event) => event.stopPropagation()}
        className="text-accent-ink hover:underline"
      >
        <Count value={sessions} />
      </Link>
    ),
})

export const narrowColumns: readonly string[] = ['name', 'traces', 'errors']

export const userColumns: readonly Column<EndUser>[] = [
  { id: 'name', header: 'User', width: 140, grow: 3, isFixed: true, cell: (user) => <Named row={user} /> },
  {
    id: 'customer',
    header: 'Customer',
    width: 120,
    grow: 2,
    cell: ({ organization }) => (
      <span dir="auto">{organization === null ? nothing : organization.name || organization.id}</span>
    ),
  },
  countColumn('traces', 'Traces', ({ traces }) => traces),
  sessionsColumn('user'),
  failedColumn,
  costColumn,
  tokensColumn,
  scoresColumn,
  lastColumn,
]

export const organizationColumns: readonly Column<EndOrganization>[] = [
  { id: 'name', header: 'Customer', width: 140, grow: 3, isFixed: true, cell: (row) => <Named row={row} /> },
  { id: 'users', header: 'Users', width: 84, align: 'right', cell: ({ users }) => <Count value={users} /> },
  countColumn('traces', 'Traces', ({ traces }) => traces),
  sessionsColumn('organization'),
  failedColumn,
  costColumn,
  tokensColumn,
  scoresColumn,
  lastColumn,
]
