/** Imports rows from a file: chosen, mapped, checked, and only then written. */
import { EncodingError } from '@plumbline/sdk/import'
import { useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useRef, useState } from 'react'
import { call, refresh, useClient } from '../../app/api.ts'
import { Button } from '../../ui/button.tsx'
import { sentenceOf } from '../../ui/error-state.tsx'
import { LabelledCheckbox } from '../../ui/form/checkbox.tsx'
import { Dialog, DialogActions } from '../../ui/overlay/dialog.tsx'
import { useToasts } from '../../ui/overlay/toast.tsx'
import { exactNumber } from '../../ui/text/format.ts'
import { fieldsOf } from '../grid/fields.ts'
import { PreviewTable } from '../grid/preview-table.tsx'
import { ProblemList } from '../grid/problem-list.tsx'
import type { Dataset } from '../grid/row-types.ts'
import { ChooseFile } from './choose-file.tsx'
import { useKeptImport, useKeptState } from './kept-imports.ts'
import { MapFields } from './map-fields.tsx'
import { checkRecords, columnsAfter, fieldNames, type Mapping, mapField, suggestMapping } from './mapping.ts'
import { importParts, newImportId } from './parts.ts'
import { ProgressBar } from './progress-bar.tsx'
import { fileBytesMax, readFile } from './read-file.ts'
import type { FileContent } from './record.ts'
import { writeRows } from './write-rows.ts'

interface ImportDialogProps {
  readonly dataset: Dataset
  /** The key of the import until it ends. */
  readonly place: string
  readonly onClose: () => void
  /** Called whenever rows have been added. */
  readonly onDone: () => void
}

interface SourceFile {
  readonly fileName: string
  readonly content: FileContent
}

const previewRows = 6

export function ImportDialog({ dataset, place, onClose, onDone }: ImportDialogProps) {
  const { end, restart } = useKeptImport(place)
  const [source, setSource] = useKeptState<SourceFile | undefined>(place, 'source', () => undefined)
  const close = (): void => {
    end()
    onClose()
  }
  const [read, setRead] = useState<number>()
  const [problem, setProblem] = useState<string>()
  const [isWriting, setWriting] = useState(false)
  /** A file in an undeclared encoding. */
  const [unreadFile, setUnreadFile] = useState<File>()
  const choose = async (file: File, encoding?: 'windows-1252'): Promise<void> => {
    setProblem(undefined)
    setUnreadFile(undefined)
    if (file.size > fileBytesMax) {
      setProblem('The file is larger than 200 MB. Use `plumbline datasets import` for larger files.')
      return
    }
    setRead(0)
    try {
      const content = await readFile(file, setRead, encoding)
      if (content.records.length === 0) setProblem('This file has no rows.')
      else setSource({ fileName: file.name, content })
    } catch (error) {
      if (error instanceof EncodingError) setUnreadFile(file)
      setProblem(`The file cannot be read: ${error instanceof Error ? error.message : String(error)}.`)
    }
    setRead(undefined)
  }
  return (
    <Dialog
      isOpen
      isWide
      onClose={() => !isWriting && close()}
      title={source === undefined ? 'Import rows' : `Import ${source.fileName}`}
      description={
        source === undefined
          ? `CSV, TSV, JSON Lines, JSON or Parquet. You can review the rows before they are added to "${dataset.name}".`
          : `${exactNumber(source.content.records.length)} rows found. Choose a column for each field.`
      }
    >
      {source === undefined ? (
        <>
          {read === undefined ? (
            <ChooseFile onChoose={(file) => void choose(file)} />
          ) : (
            <ProgressBar label="Reading the file" share={read} />
          )}
          {problem !== undefined && (
            <p role="alert" className="mt-3 text-sm text-bad">
              {problem}
            </p>
          )}
          {unreadFile !== undefined && (
            <div className="mt-3 flex flex-wrap items-center gap-3 text-sm text-ink-2">
              <Button size="small" onClick={() => void choose(unreadFile, 'windows-1252')}>
                Read it as Western European (Windows-1252)
              </Button>
              Check the characters in the preview.
            </div>
          )}
        </>
      ) : (
        <MapAndWrite
          dataset={dataset}
          place={place}
          content={source.content}
          onBack={() => {
            restart()
            setSource(undefined)
          }}
          onClose={close}
          onDone={onDone}
          isWriting={isWriting}
          onWriting={setWriting}
        />
      )}
    </Dialog>
  )
}

interface MapAndWriteProps extends ImportDialogProps {
  readonly content: FileContent
  readonly onBack: () => void
  readonly isWriting: boolean
  readonly onWriting: (isWriting: boolean) => void
}

function MapAndWrite({
  dataset,
  place,
  content,
  onBack,
  onClose,
  onDone,
  isWriting,
  onWriting,
}: MapAndWriteProps) {
  const fields = useMemo(() => fieldNames(content), [content])
  const [mapping, setMapping] = useKeptState<Mapping>(place, 'mapping', () =>
    suggestMapping(fields, dataset.columns),
  )
  // Keeps the controls responsive while many rows are checked.
  const settled = useDeferredValue(mapping)
  const columns = useMemo(
    () => columnsAfter(dataset.columns, settled, content),
    [dataset.columns, settled, content],
  )
  const { rows, problems } = useMemo(
    () => checkRecords(content, settled, columns),
    [content, settled, columns],
  )
  const [leavesOut, setLeavesOut] = useKeptState(place, 'leavesOut', () => false)
  const writing = useImport({ dataset, place, columns, rows, onClose, onDone, onWriting })
  if (isWriting || writing.failure !== undefined)
    return <Writing count={rows.length} isWriting={isWriting} importState={writing} onClose={onClose} />
  const isBlocked = rows.length === 0 || (problems.length > 0 && !leavesOut)
  return (
    <>
      <div className="flex flex-col gap-4">
        <MapFields
          fields={fields}
          content={content}
          columns={dataset.columns}
          mapping={mapping}
          onMap={(field, target) => setMapping(mapField(mapping, field, target))}
        />
        {rows.length > 0 && (
          <div>
            <h3 className="mb-1 text-xs font-medium text-ink-3">Preview of the first rows</h3>
            <PreviewTable label="Preview" fields={fieldsOf(columns)} rows={rows.slice(0, previewRows)} />
          </div>
        )}
        <ProblemList
          title={`${exactNumber(problems.length)} of ${exactNumber(content.records.length)} rows cannot be imported`}
          problems={problems}
        />
        {problems.length > 0 && rows.length > 0 && (
          <LabelledCheckbox
            label={problems.length === 1 ? 'Skip this row' : `Skip these ${problems.length} rows`}
            isChecked={leavesOut}
            onChange={setLeavesOut}
          />
        )}
      </div>
      <DialogActions>
        <Button onClick={onBack}>Choose another file</Button>
        <Button look="primary" disabled={isBlocked} onClick={() => void writing.write()}>
          Import {exactNumber(rows.length)} {rows.length === 1 ? 'row' : 'rows'}
        </Button>
      </DialogActions>
    </>
  )
}

interface ImportOptions
  extends Pick<MapAndWriteProps, 'dataset' | 'place' | 'onClose' | 'onDone' | 'onWriting'> {
  readonly columns: ReturnType<typeof columnsAfter>
  readonly rows: ReturnType<typeof checkRecords>['rows']
}

/** Writes the rows; after a failure it resumes, or removes the rows it has written. */
function useImport({ dataset, place, columns, rows, onClose, onDone, onWriting }: ImportOptions) {
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const [addedIds, setAddedIds] = useKeptState<readonly string[]>(place, 'addedIds', () => [])
  const [failure, setFailure] = useKeptState<string | undefined>(place, 'failure', () => undefined)
  const stop = useRef<AbortController>(undefined)
  const [importId, setImportId] = useKeptState(place, 'importId', newImportId)

  /** In addition to the dataset's current columns: someone else may have added some. */
  const addColumns = async (): Promise<void> => {
    if (columns.length === dataset.columns.length) return
    const { datasets } = await call(client, 'datasets.list', {})
    const now = datasets.find(({ slug }) => slug === dataset.slug)?.columns ?? dataset.columns
    const names = new Set([...now, ...dataset.columns].map(({ name }) => name))
    const newColumns = columns.filter(({ name }) => !names.has(name))
    if (newColumns.length > 0)
      await call(client, 'datasets.update', { slug: dataset.slug, columns: [...now, ...newColumns] })
  }

  const write = async (): Promise<void> => {
    onWriting(true)
    setFailure(undefined)
    const controller = new AbortController()
    stop.current = controller
    let ids = addedIds
    try {
      await addColumns()
      await writeRows(client, {
        slug: dataset.slug,
        // After a failure it resumes; rows stored without a response are not stored again.
        parts: importParts(rows, addedIds.length, importId),
        signal: controller.signal,
        onAdded: (more) => {
          ids = [...ids, ...more]
          setAddedIds(ids)
        },
      })
      toasts.done(`Imported ${exactNumber(ids.length)} ${ids.length === 1 ? 'row' : 'rows'}`)
      onClose()
    } catch (error) {
      setFailure(controller.signal.aborted ? 'You stopped the import.' : sentenceOf(error).description)
    } finally {
      onWriting(false)
      await refresh(queries, ['datasets.list'])
      if (ids.length > 0) onDone()
    }
  }
  const removeAdded = async (): Promise<void> => {
    onWriting(true)
    try {
      for (let from = 0; from < addedIds.length; from += 1000)
        await call(client, 'datasets.discard', {
          slug: dataset.slug,
          ids: addedIds.slice(from, from + 1000),
        })
      setAddedIds([])
      // With a new id, the rows are stored again if they are imported again.
      setImportId(newImportId())
      setFailure(undefined)
      onDone()
    } catch (error) {
      toasts.fail(error)
    }
    onWriting(false)
    await refresh(queries, ['datasets.list'])
  }
  return { addedIds, failure, write, removeAdded, stop: () => stop.current?.abort() }
}

interface WritingProps extends Pick<MapAndWriteProps, 'isWriting' | 'onClose'> {
  readonly count: number
  readonly importState: ReturnType<typeof useImport>
}

function Writing({ count, isWriting, importState, onClose }: WritingProps) {
  const { addedIds, failure, write, removeAdded, stop } = importState
  return (
    <>
      <ProgressBar
        label={`${exactNumber(addedIds.length)} of ${exactNumber(count)} rows`}
        share={count === 0 ? 0 : addedIds.length / count}
      />
      {failure !== undefined && (
        <p role="alert" className="mt-3 text-sm text-bad">
          The import stopped: {failure}
        </p>
      )}
      <DialogActions>
        {isWriting ? (
          <Button onClick={() => stop()}>Stop</Button>
        ) : (
          <>
            {addedIds.length > 0 && (
              <Button look="danger" onClick={() => void removeAdded()}>
                Remove the {exactNumber(addedIds.length)} rows
              </Button>
            )}
            <Button onClick={onClose}>Close</Button>
            <Button look="primary" onClick={() => void write()}>
              Continue
            </Button>
          </>
        )}
      </DialogActions>
    </>
  )
}
