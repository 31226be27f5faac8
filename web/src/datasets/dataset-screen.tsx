/** One dataset: its rows as a spreadsheet, with imports and exports. */
import { Link, useNavigate } from '@tanstack/react-router'
import { SearchX, Table2 } from 'lucide-react'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { useRead } from '../app/api.ts'
import { useCommands } from '../app/palette/commands.tsx'
import { Path } from '../app/path.tsx'
import { Screen } from '../app/screen.tsx'
import { useSession } from '../app/session.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { lateDialog } from '../ui/overlay/late-dialog.tsx'
import { useToasts } from '../ui/overlay/toast.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { DatasetActions, ImportButton } from './dataset-actions.tsx'
import { saveAgain } from './grid/changes/save-again.ts'
import { type RowChanges, useRowChanges } from './grid/changes/use-row-changes.ts'
import { ColumnHeader, NewColumnButton } from './grid/column-header.tsx'
import { DatasetGrid } from './grid/dataset-grid.tsx'
import { fieldsOf } from './grid/fields.ts'
import type { Dataset, StoredRow } from './grid/row-types.ts'
import { type Rows, useRows } from './grid/use-rows.ts'
import { isImportKept, placeOfImport } from './import/kept-imports.ts'
import { OpenRow } from './open-row.tsx'
import { datasetRoute } from './routes.ts'
import { RowFilters } from './row-filters.tsx'
import { StatusBar } from './status-bar.tsx'
import { useDatasetColumns } from './use-dataset-columns.ts'
import { useRowSources } from './use-row-sources.ts'
import { useShownDataset } from './use-shown-dataset.ts'
import { useRestore } from './versions/use-restore.ts'
import { VersionBand } from './versions/version-band.tsx'

const ImportDialog = lazy(async () => ({
  default: (await import('./import/import-dialog.tsx')).ImportDialog,
}))
const PasteDialog = lateDialog(async () => (await import('./grid/paste-dialog.tsx')).PasteDialog)
const RenameDatasetDialog = lateDialog(
  async () => (await import('./dataset-dialogs.tsx')).RenameDatasetDialog,
)
const VersionsDialog = lateDialog(async () => (await import('./versions/versions-dialog.tsx')).VersionsDialog)
const DeleteDatasetDialog = lateDialog(
  async () => (await import('./dataset-dialogs.tsx')).DeleteDatasetDialog,
)

export function DatasetScreen() {
  const { slug } = datasetRoute.useParams()
  const datasets = useRead('datasets.list', {})
  const dataset = datasets.data?.datasets.find((candidate) => candidate.slug === slug)
  const { version, split, label } = datasetRoute.useSearch()
  // A change of rows remounts the grid: its selection and loaded rows do not carry over.
  const [generation, setGeneration] = useState(0)
  const restore = useRestore(slug, () => setGeneration((count) => count + 1))
  if (dataset !== undefined)
    return (
      <OneDataset
        key={JSON.stringify([slug, version, split, label, generation])}
        dataset={dataset}
        onRestore={restore}
      />
    )
  return (
    <Screen title={slug} heading={<Path parents={parents}>{slug}</Path>}>
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

const parents = [{ label: 'Datasets', link: { to: '/datasets' } }] as const
const noneSelected: ReadonlySet<string> = new Set()

interface OneDatasetProps {
  readonly dataset: Dataset
  readonly onRestore: (version: number) => void
}

function OneDataset({ dataset: current, onRestore }: OneDatasetProps) {
  const { slug } = current
  const navigate = useNavigate()
  const { may, ownPlace } = useSession()
  const isEditor = may('editor')
  const [importPlace] = useState(() => placeOfImport(ownPlace, slug))
  const { version, split, label, q } = datasetRoute.useSearch()
  const selection = { version, split, label, q }
  const { dataset, facets, error } = useShownDataset(current, selection)
  const mayChange = isEditor && version === undefined
  const rows = useRows(slug, selection)
  const changes = useRowChanges(dataset, rows, {
    ...(split !== undefined && { split }),
    ...(label !== undefined && { labels: [label] }),
  })
  const [selectedIds, setSelectedIds] = useState(noneSelected)
  // Clear the selection when the grid shows other rows, so that no action applies to hidden ones.
  // biome-ignore lint/correctness/useExhaustiveDependencies: A change of this value changes the rows.
  useEffect(() => setSelectedIds(noneSelected), [q])
  const [dialog, setDialog] = useState<'rename' | 'delete' | 'import' | 'versions' | undefined>(() =>
    isImportKept(importPlace) ? 'import' : undefined,
  )
  const close = (): void => setDialog(undefined)
  const startImport = (): void => setDialog('import')
  const discardSelected = async (): Promise<void> => {
    const isSelected = ({ id }: StoredRow): boolean => selectedIds.has(id)
    // An import or a column change reloads all rows.
    const isLoaded = rows.loadedRows.filter(isSelected).length === selectedIds.size
    const all = isLoaded ? rows.loadedRows : await rows.reach(Number.POSITIVE_INFINITY)
    changes.discard(all.filter(isSelected))
    setSelectedIds(noneSelected)
  }
  useCommands(
    mayChange
      ? [
          { label: 'Import rows', words: 'csv json upload file', run: startImport },
          { label: 'Rename dataset', run: () => setDialog('rename') },
        ]
      : [],
  )
  return (
    <Screen
      title={dataset.name}
      heading={<Path parents={parents}>{dataset.name}</Path>}
      actions={
        <DatasetActions
          {...{ slug, selectedIds, mayChange, selection }}
          rowCount={rows.isWhole ? rows.loadedRows.length : dataset.rowCount}
          onDeleteSelected={() => void discardSelected()}
          onImport={startImport}
          onDialog={setDialog}
        />
      }
    >
      {version !== undefined && (
        <VersionBand
          slug={slug}
          version={version}
          onRestore={
            isEditor
              ? () => {
                  onRestore(version)
                  void navigate({ to: '/datasets/$slug', params: { slug } })
                }
              : undefined
          }
        />
      )}
      <RowFilters facets={facets} hasRows={current.rowCount > 0 || rows.loadedRows.length > 0} />
      {(error ?? rows.error) !== undefined && rows.loadedRows.length === 0 ? (
        <ErrorState error={error ?? rows.error} onRetry={rows.reload} />
      ) : (
        <DatasetRows
          {...{ dataset, rows, changes, mayChange, selectedIds }}
          onSelect={setSelectedIds}
          onImport={startImport}
        />
      )}
      <Suspense>
        {dialog === 'import' && (
          <ImportDialog dataset={dataset} place={importPlace} onClose={close} onDone={rows.reload} />
        )}
      </Suspense>
      <VersionsDialog
        slug={slug}
        isOpen={dialog === 'versions'}
        mayChange={isEditor}
        onClose={close}
        onRestore={onRestore}
      />
      <RenameDatasetDialog dataset={dialog === 'rename' ? dataset : undefined} onClose={close} />
      <DeleteDatasetDialog
        dataset={dialog === 'delete' ? dataset : undefined}
        onClose={close}
        onDeleted={() => void navigate({ to: '/datasets' })}
      />
    </Screen>
  )
}

interface DatasetRowsProps {
  readonly dataset: Dataset
  readonly rows: Rows
  readonly changes: RowChanges
  readonly mayChange: boolean
  readonly selectedIds: ReadonlySet<string>
  readonly onSelect: (update: (rowIds: ReadonlySet<string>) => ReadonlySet<string>) => void
  readonly onImport: () => void
}

/** The grid, its status bar, and the open row beside it. */
function DatasetRows({
  dataset,
  rows,
  changes,
  mayChange,
  selectedIds,
  onSelect,
  onImport,
}: DatasetRowsProps) {
  const { columns } = dataset
  const { row: openId, q } = datasetRoute.useSearch()
  const navigate = datasetRoute.useNavigate()
  const toasts = useToasts()
  const fields = useMemo(() => fieldsOf(columns), [columns])
  const count = rows.isWhole ? rows.loadedRows.length : Math.max(dataset.rowCount, rows.loadedRows.length)
  const { change, rename, replaceColumn } = useDatasetColumns(dataset, rows.reload)
  const { upload, plan, setPlan, paste, isPasting } = useRowSources(dataset.slug, rows, changes, count)
  const openIndex = rows.loadedRows.findIndex(({ id }) => id === openId)
  const openRow = rows.loadedRows[openIndex]
  const open = (row: StoredRow | undefined): void =>
    void navigate({
      search: (previous) => ({ ...previous, row: row?.id }),
      replace: openId !== undefined && row !== undefined,
    })
  const allowed = mayChange ? changes : undefined
  return (
    <div className="flex min-h-0 flex-1">
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <DatasetGrid
          // The active and the edited cell are positions, which would refer to other rows.
          key={q}
          {...{ fields, rows, count, selectedIds, onSelect }}
          label={`Rows of ${dataset.name}`}
          changes={allowed}
          openId={openRow?.id}
          onOpen={open}
          onPlan={setPlan}
          onUpload={upload}
          header={(field) => (
            <ColumnHeader
              field={field}
              columns={columns}
              onChange={mayChange ? change : undefined}
              onRename={mayChange ? rename : undefined}
              onSchema={mayChange ? replaceColumn : undefined}
            />
          )}
          trailingHeader={mayChange && <NewColumnButton onChange={change} />}
          empty={
            rows.isWhole &&
            (q === undefined ? <NoRows onImport={mayChange ? onImport : undefined} /> : <NoMatches />)
          }
        />
        <StatusBar
          count={count}
          selectedCount={selectedIds.size}
          readCount={rows.isReading ? rows.loadedRows.length : undefined}
          hasFailed={rows.error !== undefined}
          savingCount={changes.savingCount}
          unsavedCount={allowed?.unsavedCells.cells.length ?? 0}
          mayChange={mayChange}
          onSaveAgain={() => void saveAgain(changes, rows)}
          onDiscard={() => {
            const { cells } = changes.unsavedCells
            changes.unsavedCells.forget(cells)
            toasts.done('Discarded unsaved changes', { undo: () => changes.unsavedCells.keep(cells) })
          }}
        />
      </div>
      {openRow !== undefined && (
        <OpenRow
          row={openRow}
          index={openIndex}
          fields={fields}
          changes={allowed}
          onUpload={upload}
          onClose={() => open(undefined)}
        />
      )}
      <PasteDialog
        plan={mayChange ? plan : undefined}
        fields={fields}
        isBusy={isPasting}
        onConfirm={(plan) => void paste(plan)}
        onClose={() => setPlan(undefined)}
      />
    </div>
  )
}

const NoMatches = () => (
  <EmptyState icon={<SearchX size={20} />} title="No rows match">
    No row contains this text.
  </EmptyState>
)

const NoRows = ({ onImport }: { readonly onImport: (() => void) | undefined }) => (
  <EmptyState
    icon={<Table2 size={20} />}
    title="No rows yet"
    action={onImport && <ImportButton onPress={onImport} />}
  >
    {onImport
      ? 'Type into the first cell, paste from a spreadsheet, import a file, or add rows from Traces.'
      : 'Editors of this workspace can add rows.'}
  </EmptyState>
)
