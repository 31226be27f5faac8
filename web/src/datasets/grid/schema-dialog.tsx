/** The schema of a column, as JSON Schema. */
import { type FormEvent, useState } from 'react'
import { LabelledCheckbox } from '../../ui/form/checkbox.tsx'
import { FormActions } from '../../ui/form/form-actions.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { CodeEditor } from '../../ui/text/code-editor.tsx'
import type { Column } from './row-types.ts'

interface SchemaDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly column: Column | undefined
  readonly save: (column: Column) => Promise<void>
}

export const SchemaDialog = ({ isOpen, onClose, column, save }: SchemaDialogProps) => (
  <Dialog
    isOpen={isOpen}
    onClose={onClose}
    title={`Schema of ${column?.name ?? ''}`}
    description="JSON Schema of the values. Cells that do not match are marked. Leave it empty to accept any value."
  >
    {isOpen && column !== undefined && <SchemaForm column={column} save={save} onClose={onClose} />}
  </Dialog>
)

interface SchemaFormProps {
  readonly column: Column
  readonly save: (column: Column) => Promise<void>
  readonly onClose: () => void
}

function SchemaForm({ column, save, onClose }: SchemaFormProps) {
  const { schema, onMismatch, ...plain } = column
  const [text, setText] = useState(schema === undefined ? '' : JSON.stringify(schema, null, 2))
  const [isRejecting, setRejecting] = useState(onMismatch === 'reject')
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setBusy(true)
    try {
      const next = text.trim() === '' ? {} : { schema: readSchema(text) }
      await save({ ...plain, ...next, ...(isRejecting && text.trim() !== '' && { onMismatch: 'reject' }) })
      onClose()
    } catch (error) {
      setProblem(error)
      setBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <CodeEditor
        label="Schema"
        language="json"
        value={text}
        onChange={setText}
        minHeightPx={140}
        maxHeightPx={320}
        placeholder='{ "enum": ["kind", "curt"] }'
      />
      <LabelledCheckbox
        label="Reject values that do not match"
        isChecked={isRejecting}
        onChange={setRejecting}
      />
      <FormActions action="Save" isBusy={isBusy} error={problem} onCancel={onClose} />
    </form>
  )
}

function readSchema(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('Write a JSON object, such as {"type": "string"}.')
  // Safe: it is an object.
  return value as Record<string, unknown>
}
