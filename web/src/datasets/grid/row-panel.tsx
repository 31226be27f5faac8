/** One row, with each field at its full size. */
import { Save, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { PanelHeader } from '../../ui/panel-header.tsx'
import { useShortcuts } from '../../ui/shortcuts.tsx'
import { CodeEditor } from '../../ui/text/code-editor.tsx'
import { JsonTree } from '../../ui/text/json-tree.tsx'
import { ExactTime, Nothing } from '../../ui/text/values.tsx'
import { rowWithUnsaved, type UnsavedCell } from './changes/unsaved-cells.ts'
import {
  type CellChange,
  cellValue,
  editedTextOf,
  type GridField,
  problemOf,
  readText,
  textOf,
} from './fields.ts'
import { FileValue } from './file-value.tsx'
import type { StoredRow } from './row-types.ts'

interface RowPanelProps {
  readonly row: StoredRow
  /** Its place, from 0. */
  readonly index: number
  readonly fields: readonly GridField[]
  /** The unsaved texts of this row. */
  readonly unsavedCells: readonly UnsavedCell[] | undefined
  /** Absent if nothing may be changed. */
  readonly onEdit: ((changes: readonly CellChange[]) => void) | undefined
  readonly onUpload: (field: GridField, file: File) => void
  readonly onClose: () => void
}

export function RowPanel({ row, index, fields, unsavedCells, onEdit, onUpload, onClose }: RowPanelProps) {
  const [drafts, setDrafts] = useState<ReadonlyMap<string, string>>(new Map())
  const unsavedRow = rowWithUnsaved(row, unsavedCells)
  const unsavedCellOf = (field: GridField): UnsavedCell | undefined =>
    unsavedCells?.find((cell) => cell.field.id === field.id)
  const draftOf = (field: GridField): string | undefined =>
    drafts.get(field.id) ?? (unsavedRow && unsavedCellOf(field) ? editedTextOf(unsavedRow, field) : undefined)
  const read = fields.flatMap((field) => {
    const draft = draftOf(field)
    return draft === undefined || draft === editedTextOf(row, field)
      ? []
      : [{ field, ...readText(draft, field) }]
  })
  const problems = new Map(
    read.flatMap((change) => ('problem' in change ? [[change.field.id, change.problem]] : [])),
  )
  const changes = read.flatMap((change) => ('value' in change ? [change] : []))
  const canSave = changes.length > 0 && problems.size === 0
  const save = (): void => {
    if (!canSave) return
    onEdit?.(changes)
    setDrafts(new Map())
  }
  useShortcuts([{ keys: 'mod+s', label: 'Save row', onPress: save }], onEdit !== undefined)
  return (
    <>
      <PanelHeader
        title={`Row ${index + 1}`}
        onClose={onClose}
        actions={
          onEdit !== undefined && (
            <Button size="small" icon={<Save aria-hidden size={14} />} disabled={!canSave} onClick={save}>
              Save
            </Button>
          )
        }
      />
      <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4">
        {fields.map((field) => (
          <section key={field.id} aria-label={field.header} className="flex flex-col gap-1">
            <h3 className="text-xs font-medium break-words text-ink-3">{field.header}</h3>
            <PanelField
              row={row}
              field={field}
              draft={draftOf(field)}
              onDraft={
                onEdit === undefined
                  ? undefined
                  : (text) => setDrafts((previous) => new Map(previous).set(field.id, text))
              }
              onUpload={(file) => onUpload(field, file)}
            />
            {!problems.has(field.id) && unsavedCellOf(field) !== undefined && (
              <p role="alert" className="text-xs text-bad">
                Not saved: {unsavedCellOf(field)?.problem}
              </p>
            )}
            {!problems.has(field.id) && problemOf(row, field) !== undefined && (
              <p className="text-xs text-bad">
                {field.header} {problemOf(row, field)}
              </p>
            )}
            {problems.has(field.id) && (
              <p role="alert" className="text-xs text-bad">
                {problems.get(field.id)}
              </p>
            )}
          </section>
        ))}
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-xs text-ink-3">
          <dt>Id</dt>
          <dd className="font-mono break-all select-all">{row.id}</dd>
          <dt>Added</dt>
          <dd>
            <ExactTime time={row.createdAt} />
          </dd>
        </dl>
      </div>
    </>
  )
}

interface PanelFieldProps {
  readonly row: StoredRow
  readonly field: GridField
  readonly draft: string | undefined
  readonly onDraft: ((text: string) => void) | undefined
  readonly onUpload: (file: File) => void
}

function PanelField({ row, field, draft, onDraft, onUpload }: PanelFieldProps) {
  const picker = useRef<HTMLInputElement>(null)
  const text = textOf(row, field)
  if (field.type === 'image' || field.type === 'file')
    return (
      <div className="flex flex-col items-start gap-2">
        {text === '' ? (
          <span className="text-sm text-ink-3">No file.</span>
        ) : (
          <FileValue value={text} isImage={field.type === 'image'} isLarge />
        )}
        {onDraft !== undefined && (
          <>
            <Button
              size="small"
              icon={<Upload aria-hidden size={14} />}
              onClick={() => picker.current?.click()}
            >
              {text === '' ? 'Upload' : 'Replace'}
            </Button>
            <input
              ref={picker}
              type="file"
              hidden
              aria-label={`File of ${field.header}`}
              accept={field.type === 'image' ? 'image/*' : undefined}
              onChange={(event) => {
                const [file] = event.currentTarget.files ?? []
                if (file !== undefined) onUpload(file)
              }}
            />
          </>
        )}
      </div>
    )
  if (onDraft !== undefined)
    return (
      <CodeEditor
        key={row.id}
        label={field.header}
        language={field.type === 'json' ? 'json' : 'text'}
        value={draft ?? editedTextOf(row, field)}
        onChange={onDraft}
        minHeightPx={['name', 'split', 'labels'].includes(field.part) ? 36 : 72}
        maxHeightPx={400}
      />
    )
  if (text === '') return <Nothing />
  return field.type === 'json' ? (
    <JsonTree value={cellValue(row, field)} label={field.header} hasSearch={false} />
  ) : (
    <p className="text-sm break-words whitespace-pre-wrap" dir="auto">
      {text}
    </p>
  )
}
