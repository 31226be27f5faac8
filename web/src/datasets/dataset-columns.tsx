import { Link } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import { IconButton } from '../ui/button.tsx'
import { Menu } from '../ui/overlay/menu.tsx'
import type { Column } from '../ui/table/columns.ts'
import { Count, Nothing, RelativeTime } from '../ui/text/values.tsx'
import type { Dataset } from './grid/row-types.ts'

interface Actions {
  readonly onRename: (dataset: Dataset) => void
  readonly onDelete: (dataset: Dataset) => void
}

/** The columns of a narrow table, which shows the slug below the name. */
export const narrowColumns: readonly string[] = ['name', 'rows', 'created', 'actions']

/** The columns of the dataset list; without actions for viewers. */
export const datasetColumns = (
  actions: Actions | undefined,
  isNarrow: boolean,
): readonly Column<Dataset>[] => [
  {
    id: 'name',
    header: 'Name',
    width: isNarrow ? 140 : 200,
    grow: 2,
    sortBy: ({ name }) => name.toLowerCase(),
    cell: ({ name, slug }) => (
      <span className="flex min-w-0 flex-col">
        <Link
          to="/datasets/$slug"
          params={{ slug }}
          className="truncate font-medium hover:underline"
          title={name}
          dir="auto"
        >
          {name}
        </Link>
        {isNarrow && <code className="truncate font-mono text-xs text-ink-3">{slug}</code>}
      </span>
    ),
  },
  {
    id: 'slug',
    header: 'Slug',
    width: 140,
    grow: 1,
    sortBy: ({ slug }) => slug,
    cell: ({ slug }) => <code className="font-mono text-xs text-ink-2">{slug}</code>,
  },
  {
    id: 'rows',
    header: 'Rows',
    width: isNarrow ? 68 : 80,
    align: 'right',
    sortBy: ({ rowCount }) => rowCount,
    cell: ({ rowCount }) => <Count value={rowCount} />,
  },
  {
    id: 'columns',
    header: 'Columns',
    width: 220,
    grow: 2,
    sortBy: ({ columns }) => columns.length,
    cell: ({ columns }) => {
      const names = columns.map(({ name }) => name).join(', ')
      return (
        <span className="text-ink-2" title={names} dir="auto">
          {names || <Nothing />}
        </span>
      )
    },
  },
  {
    id: 'created',
    header: 'Created',
    width: isNarrow ? 96 : 108,
    sortBy: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <RelativeTime time={createdAt} />,
  },
  ...(actions
    ? [
        {
          id: 'actions',
          header: '',
          width: 56,
          align: 'right' as const,
          cell: (dataset: Dataset) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: A press here must not open the row.
            // biome-ignore lint/a11y/useKeyWithClickEvents: The menu's button takes the keys.
            <span onClick={(event) => event.stopPropagation()}>
              <Menu
                trigger={
                  <IconButton size="small" label={`Actions for ${dataset.name}`}>
                    <Ellipsis aria-hidden size={14} />
                  </IconButton>
                }
                items={[
                  { label: 'Rename', onSelect: () => actions.onRename(dataset) },
                  {
                    label: 'Delete',
                    isDangerous: true,
                    startsGroup: true,
                    onSelect: () => actions.onDelete(dataset),
                  },
                ]}
              />
            </span>
          ),
        },
      ]
    : []),
]
