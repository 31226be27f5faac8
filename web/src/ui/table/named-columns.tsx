/** The common columns of tables of resources. */
import { type LucideIcon, Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../button.tsx'
import type { Column } from './columns.ts'

interface NamedRow {
  readonly name: string
}

export const nameColumn = <Row extends NamedRow>(size: Pick<Column<Row>, 'width' | 'grow'>): Column<Row> => ({
  id: 'name',
  header: 'Name',
  ...size,
  sortBy: ({ name }) => name.toLowerCase(),
  cell: ({ name }) => (
    <span dir="auto" className="font-medium" title={name}>
      {name}
    </span>
  ),
})

/** The width of a number of small buttons at the end of a row. */
export const buttonsColumn = <Row,>(buttons: number, cell: (row: Row) => ReactNode): Column<Row> => ({
  id: 'actions',
  header: '',
  width: 32 + 28 * buttons,
  align: 'right',
  cell,
})

interface RowActions<Row> {
  readonly onEdit: (row: Row) => void
  readonly onDelete: (row: Row) => void
  /** A further action before these; its verb precedes the name. */
  readonly first: { readonly verb: string; readonly icon: LucideIcon; readonly onPress: (row: Row) => void }
}

/** The buttons of rows that can be tested, changed and deleted. */
export const actionsColumn = <Row extends NamedRow>({
  onEdit,
  onDelete,
  first,
}: RowActions<Row>): Column<Row> =>
  buttonsColumn(3, (row) => (
    <span className="inline-flex">
      <IconButton size="small" label={`${first.verb} ${row.name}`} onClick={() => first.onPress(row)}>
        <first.icon aria-hidden size={14} />
      </IconButton>
      <IconButton size="small" label={`Change ${row.name}`} onClick={() => onEdit(row)}>
        <Pencil aria-hidden size={14} />
      </IconButton>
      <IconButton size="small" label={`Delete ${row.name}`} onClick={() => onDelete(row)}>
        <Trash2 aria-hidden size={14} />
      </IconButton>
    </span>
  ))
