/** One dataset: its rows as a spreadsheet, what comes in from files, and what goes out. */
import { Link, useNavigate } from '@tanstack/react-router'
import { Download, Ellipsis, FileUp, Scale, Table2, Trash2 } from 'lucide-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useChange, useClient, useRead } from '../app/api.ts'
import { useCommands } from '../app/commands.tsx'
import { Path } from '../app/path.tsx'
import { Screen } from '../app/screen.tsx'
import { useSession } from '../app/session.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { download } from '../ui/download.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Menu } from '../ui/menu.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { SidePanel } from '../ui/split-pane.tsx'
import { useToasts } from '../ui/toast.tsx'
import { ColumnHeader, NewColumnButton } from './grid/column-header.tsx'
import { DatasetGrid } from './grid/dataset-grid.tsx'
import { fieldsOf, type GridField, newRow } from './grid/fields.ts'
import { uploadFile } from './grid/file-value.tsx'
import type { PastePlan } from './grid/plan-paste.ts'
import type { Column, Dataset, StoredRow } from './grid/row-types.ts'
import { useRowChanges } from './grid/use-row-changes.ts'
import { useRows } from './grid/use-rows.ts'
import { datasetRoute } from './routes.ts'

const ImportDialog = lazy(async () => ({
  default: (await import('./import/import-dialog.tsx')).ImportDialog,
}))
const PasteDialog = lazy(async () => ({ default: (await import('./grid/paste-dialog.tsx')).PasteDialog }))
const RowPanel = lazy(async () => ({ default: (await import('./grid/row-panel.tsx')).RowPanel }))
const RenameDatasetDialog = lazy(async () => ({
  default: (await import('./dataset-dialogs.tsx')).RenameDatasetDialog,
}))
const DeleteDatasetDialog = lazy(async () => ({
  default: (await import('./dataset-dialogs.tsx')).DeleteDatasetDialog,
}))

export function DatasetScreen() {
  const { slug } = datasetRoute.useParams()
  const datasets = useRead('datasets.list', {})
  const dataset = datasets.data?.datasets.find((candidate) => candidate.slug === slug)
  if (dataset !== undefined) return <OneDataset key={slug} dataset={dataset} />
  return (
    <Screen title={slug} heading={<Path above={above}>{slug}</Path>}>
      {datasets.isError ? (
        <ErrorState error={datasets.error} onRetry={() => void datasets.refetch()} />
      ) : datasets.data === undefined ? (
        <SkeletonRows />
      ) : (
        <EmptyState icon={<Table2 size={20} />} title="Dataset not found">
          There is no dataset with the slug <code className="font-mono">{slug}</code>. It may have been
          deleted.{' '}
          <Link to="/datasets" className="text-accent-ink hover:underline">
            Show all datasets
          </Link>
          .
        </EmptyState>
      )}
    </Screen>
  )
}

const above = [{ label: 'Datasets', link: { to: '/datasets' } }] as const

const exportFormats = [
  { format: 'csv', label: 'CSV' },
  { format: 'jsonl', label: 'JSON Lines' },
  { format: 'json', label: 'JSON' },
  { format: 'parquet', label: 'Parquet' },
] as const

const noneSelected: ReadonlySet<string> = new Set()

function OneDataset({ dataset }: { readonly dataset: Dataset }) {
  const { slug, columns } = dataset
  const { row: openId } = datasetRoute.useSearch()
  const navigate = useNavigate()
  const client = useClient()
  const toasts = useToasts()
  const mayChange = useSession().may('editor')
  const rows = useRows(slug)
  const changes = useRowChanges(slug, rows)
  const fields = useMemo(() => fieldsOf(columns), [columns])
  const [selectedIds, setSelectedIds] = useState(noneSelected)
  const [plan, setPlan] = useState<PastePlan>()
  const [isPasting, setPasting] = useState(false)
  const [isImporting, setImporting] = useState(false)
  const [dialog, setDialog] = useState<'rename' | 'delete'>()
  const update = useChange('datasets.update', { refreshes: ['datasets.list'], onDone: () => rows.reload() })
  const count = rows.isWhole ? rows.loaded.length : Math.max(dataset.rowCount, rows.loaded.length)
  const openIndex = rows.loaded.findIndex(({ id }) => id === openId)
  const opened = rows.loaded[openIndex]

  const open = (row: StoredRow | undefined): void =>
    void navigate({
      to: '/datasets/$slug',
      params: { slug },
      search: (before) => ({ ...before, row: row?.id }),
      replace: openId !== undefined && row !== undefined,
    })
  const changeColumns = (next: readonly Column[]): void => {
    const gone = columns.find(({ name }) => !next.some((column) => column.name === name))
    update.mutate(
      { slug, columns: [...next] },
      {
        onSuccess: () => {
          if (gone !== undefined && next.length < columns.length)
            toasts.done(`Removed the column "${gone.name}"`, {
              description: 'Its values are kept. Add a column with the same name to restore them.',
              undo: () => update.mutate({ slug, columns: [...columns] }),
            })
        },
      },
    )
  }
  const upload = (row: StoredRow | undefined, field: GridField, file: File): void => {
    if (field.type !== 'image' && field.type !== 'file') {
      toasts.fail(new Error(`"${field.header}" does not accept files. Use an image or file column.`))
      return
    }
    uploadFile(client, file)
      .then(async (value) => {
        if (row === undefined) await changes.append([newRow([{ field, value }])])
        else await changes.edit([{ row, changes: [{ field, value }] }])
      })
      .catch(toasts.fail)
  }
  const paste = async (confirmed: PastePlan): Promise<void> => {
    setPasting(true)
    if (confirmed.changes.length > 0) await changes.edit(confirmed.changes)
    if (confirmed.newRows.length > 0) {
      await rows.reach(count)
      const added = await changes.append(confirmed.newRows)
      toasts.done(added.length === 1 ? 'Added a row' : `Added ${added.length} rows`)
    }
    setPasting(false)
    setPlan(undefined)
  }
  const discardSelected = (): void => {
    changes.discard(rows.loaded.filter(({ id }) => selectedIds.has(id)))
    setSelectedIds(noneSelected)
  }
  useCommands(
    mayChange
      ? [
          { label: 'Import rows', words: 'csv json upload file', run: () => setImporting(true) },
          { label: 'Rename dataset', run: () => setDialog('rename') },
        ]
      : [],
  )
  const importButton = mayChange && (
    <Button icon={<FileUp aria-hidden size={14} />} onClick={() => setImporting(true)}>
      Import
    </Button>
  )
  return (
    <Screen
      title={dataset.name}
      heading={<Path above={above}>{dataset.name}</Path>}
      actions={
        <>
          {selectedIds.size > 0 && mayChange && (
            <Button look="danger" icon={<Trash2 aria-hidden size={14} />} onClick={discardSelected}>
              Delete {selectedIds.size.toLocaleString('en-US')} {selectedIds.size === 1 ? 'row' : 'rows'}
            </Button>
          )}
          {importButton}
          <Menu
            trigger={<Button icon={<Download aria-hidden size={14} />}>Export</Button>}
            items={exportFormats.map(({ format, label }) => ({
              label,
              onSelect: () => download(`/datasets/${encodeURIComponent(slug)}/export?format=${format}`),
            }))}
          />
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
                  onSelect: () =>
                    void navigate({
                      to: '/experiments/run',
                      search: { dataset: slug, ...rowsToRun(selectedIds) },
                    }),
                },
                { label: 'Rename', startsGroup: true, onSelect: () => setDialog('rename') },
                {
                  label: 'Delete',
                  isDangerous: true,
                  startsGroup: true,
                  onSelect: () => setDialog('delete'),
                },
              ]}
            />
          )}
        </>
      }
    >
      {rows.error !== undefined && rows.loaded.length === 0 ? (
        <ErrorState error={rows.error} onRetry={rows.reload} />
      ) : (
        <div className="flex min-h-0 flex-1">
          <div className="flex min-h-0 min-w-0 flex-1 flex-col">
            <DatasetGrid
              label={`Rows of ${dataset.name}`}
              fields={fields}
              rows={rows}
              count={count}
              changes={mayChange ? changes : undefined}
              selectedIds={selectedIds}
              onSelect={setSelectedIds}
              openId={opened?.id}
              onOpen={open}
              onPlan={setPlan}
              onUpload={upload}
              header={(field) => (
                <ColumnHeader
                  field={field}
                  columns={columns}
                  onChange={mayChange ? changeColumns : undefined}
                  onRename={
                    mayChange ? (from, to) => update.mutate({ slug, renames: { [from]: to } }) : undefined
                  }
                />
              )}
              trailingHeader={mayChange && <NewColumnButton columns={columns} onChange={changeColumns} />}
              empty={
                rows.isWhole && (
                  <EmptyState icon={<Table2 size={20} />} title="No rows yet" action={importButton}>
                    {mayChange
                      ? 'Type into the first cell, paste from a spreadsheet, import a file, or add rows from Traces.'
                      : 'Editors of this workspace can add rows.'}
                  </EmptyState>
                )
              }
            />
            <StatusBar
              count={count}
              selected={selectedIds.size}
              saving={changes.saving}
              mayChange={mayChange}
            />
          </div>
          {opened !== undefined && (
            <SidePanel name="dataset-row" label="Row" initialPx={480} onClose={() => open(undefined)}>
              <Suspense fallback={<SkeletonRows />}>
                <RowPanel
                  key={opened.id}
                  row={opened}
                  index={openIndex}
                  fields={fields}
                  onEdit={
                    mayChange
                      ? (changed) => void changes.edit([{ row: opened, changes: changed }])
                      : undefined
                  }
                  onUpload={(field, file) => upload(opened, field, file)}
                  onClose={() => open(undefined)}
                />
              </Suspense>
            </SidePanel>
          )}
        </div>
      )}
      <Suspense>
        <PasteDialog
          plan={plan}
          fields={fields}
          isBusy={isPasting}
          onConfirm={(confirmed) => void paste(confirmed)}
          onClose={() => setPlan(undefined)}
        />
        {isImporting && (
          <ImportDialog dataset={dataset} onClose={() => setImporting(false)} onDone={() => rows.reload()} />
        )}
        <RenameDatasetDialog
          dataset={dialog === 'rename' ? dataset : undefined}
          onClose={() => setDialog(undefined)}
        />
        <DeleteDatasetDialog
          dataset={dialog === 'delete' ? dataset : undefined}
          onClose={() => setDialog(undefined)}
          onDeleted={() => void navigate({ to: '/datasets' })}
        />
      </Suspense>
    </Screen>
  )
}

/** So many rows fit into an address. */
const rowsInAddressMax = 100

/** The rows that are chosen; all of them where none is, or too many are. */
const rowsToRun = (ids: ReadonlySet<string>): { readonly rows?: string } =>
  ids.size === 0 || ids.size > rowsInAddressMax ? {} : { rows: [...ids].join(',') }

interface StatusBarProps {
  readonly count: number
  readonly selected: number
  readonly saving: number
  readonly mayChange: boolean
}

const StatusBar = ({ count, selected, saving, mayChange }: StatusBarProps) => (
  <footer className="flex h-8 shrink-0 items-center gap-4 border-t border-line px-4 text-xs text-ink-3">
    <span className="numbers">
      {count.toLocaleString('en-US')} {count === 1 ? 'row' : 'rows'}
      {selected > 0 && `, ${selected.toLocaleString('en-US')} selected`}
    </span>
    <span role="status">{saving > 0 ? 'Saving…' : ''}</span>
    <span className="ml-auto truncate max-lg:hidden">
      {mayChange
        ? 'Enter to edit · type to replace · Shift+Enter for a new line · Ctrl+Enter to open the row · Ctrl+Z to undo'
        : 'Enter to open the row'}
    </span>
  </footer>
)
