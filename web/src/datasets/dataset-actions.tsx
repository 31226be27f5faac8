import { useNavigate } from '@tanstack/react-router'
import { Download, Ellipsis, FileUp, History, Scale, Trash2 } from 'lucide-react'
import { useExport } from '../app/use-export.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Menu } from '../ui/overlay/menu.tsx'
import { useToasts } from '../ui/overlay/toast.tsx'
import { exactNumber } from '../ui/text/format.ts'
import type { RowSelection } from './grid/use-rows.ts'

const exportFormats = [
  { format: 'csv', label: 'CSV' },
  { format: 'jsonl', label: 'JSON Lines' },
  { format: 'json', label: 'JSON' },
  { format: 'parquet', label: 'Parquet' },
] as const

/** The maximum number of rows in a URL. */
const rowsInAddressMax = 100

/**
 * The selected rows; all rows if none or all are selected. Undefined if there are too many to list. A run has no
 * search filter, so the selected rows of a search are listed.
 */
function rowsToRun(
  ids: ReadonlySet<string>,
  { rowCount, isSearch }: { readonly rowCount: number; readonly isSearch: boolean },
): { readonly rows?: string } | undefined {
  if (ids.size === 0 || (!isSearch && ids.size >= rowCount)) return {}
  return ids.size > rowsInAddressMax ? undefined : { rows: [...ids].join(',') }
}

/** Exports the rows that the grid shows. */
function exportPath(slug: string, format: string, selection: RowSelection): string {
  const parameters = Object.entries({ format, ...selection }).filter(([, value]) => value !== undefined)
  const query = new URLSearchParams(parameters.map(([name, value]) => [name, String(value)]))
  return `/datasets/${encodeURIComponent(slug)}/export?${query}`
}

interface DatasetActionsProps {
  readonly slug: string
  /** The count of rows that the grid shows. */
  readonly rowCount: number
  readonly selectedIds: ReadonlySet<string>
  readonly mayChange: boolean
  readonly onDeleteSelected: () => void
  readonly onImport: () => void
  /** The version and the rows that the grid shows. */
  readonly selection: RowSelection
  readonly onDialog: (dialog: 'rename' | 'delete' | 'versions') => void
}

/** The buttons of a dataset's screen. */
export function DatasetActions(props: DatasetActionsProps) {
  const { slug, rowCount, selectedIds, mayChange, selection, onDeleteSelected, onImport, onDialog } = props
  const navigate = useNavigate()
  const toasts = useToasts()
  const start = useExport()
  const runExperiment = (): void => {
    const isSearch = selection.q !== undefined
    if (isSearch && selectedIds.size === 0) {
      toasts.reject(
        'Select rows from the search first',
        'An experiment runs on the selected rows or on the whole dataset.',
      )
      return
    }
    const rows = rowsToRun(selectedIds, { rowCount, isSearch })
    if (rows === undefined) {
      toasts.reject(
        `An experiment runs on up to ${rowsInAddressMax} selected rows`,
        'Give these rows a split or a label, and choose it in the experiment form.',
      )
      return
    }
    const { version, split, label } = selection
    void navigate({
      to: '/experiments/run',
      search: {
        dataset: slug,
        ...rows,
        ...(version !== undefined && { datasetVersion: version }),
        ...(split !== undefined && { split }),
        ...(label !== undefined && { label }),
      },
    })
  }
  return (
    <>
      {selectedIds.size > 0 && mayChange && (
        <Button look="danger" icon={<Trash2 aria-hidden size={14} />} onClick={onDeleteSelected}>
          Delete {exactNumber(selectedIds.size)} {selectedIds.size === 1 ? 'row' : 'rows'}
        </Button>
      )}
      {mayChange && <ImportButton onPress={onImport} />}
      <Menu
        trigger={<Button icon={<Download aria-hidden size={14} />}>Export</Button>}
        items={exportFormats.map(({ format, label }) => ({
          label,
          onSelect: () =>
            void start({
              address: exportPath(slug, format, selection),
              fileName: `${slug}.${format}`,
              format: format === 'csv' || format === 'jsonl' ? format : 'other',
              records: 'rows',
            }),
        }))}
      />
      {!mayChange && (
        <Button icon={<History aria-hidden size={14} />} onClick={() => onDialog('versions')}>
          Versions
        </Button>
      )}
      {mayChange && (
        <Menu
          trigger={
            <IconButton label="More actions">
              <Ellipsis aria-hidden size={16} />
            </IconButton>
          }
          items={[
            {
              label: 'Run experiment',
              icon: <Scale aria-hidden size={14} />,
              onSelect: runExperiment,
            },
            {
              label: 'Versions',
              icon: <History aria-hidden size={14} />,
              onSelect: () => onDialog('versions'),
            },
            { label: 'Rename', startsGroup: true, onSelect: () => onDialog('rename') },
            {
              label: 'Delete',
              isDangerous: true,
              startsGroup: true,
              onSelect: () => onDialog('delete'),
            },
          ]}
        />
      )}
    </>
  )
}

export const ImportButton = ({ onPress }: { readonly onPress: () => void }) => (
  <Button icon={<FileUp aria-hidden size={14} />} onClick={onPress}>
    Import
  </Button>
)
