import type { Connection } from '@plumbline/sdk'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useChange } from '../../app/api.ts'
import { Button } from '../../ui/button.tsx'
import { sentenceOf } from '../../ui/error-state.tsx'
import { Field, Input } from '../../ui/form/field.tsx'
import { Dialog, DialogActions } from '../../ui/overlay/dialog.tsx'
import { formatDuration } from '../../ui/text/format.ts'

interface ConnectionTestProps {
  readonly connection: Connection | undefined
  readonly onClose: () => void
}

/** Asks a model for a word, and shows the result or the provider's error. */
export function ConnectionTestDialog({ connection, onClose }: ConnectionTestProps) {
  return (
    <Dialog
      isOpen={connection !== undefined}
      onClose={onClose}
      title={`Test ${connection?.name ?? ''}`}
      description="Asks a model for one word. This costs a few tokens."
    >
      {connection !== undefined && (
        <ConnectionTest key={connection.id} connection={connection} onClose={onClose} />
      )}
    </Dialog>
  )
}

interface ConnectionTestFormProps {
  readonly connection: Connection
  readonly onClose: () => void
}

function ConnectionTest({ connection: { id, models }, onClose }: ConnectionTestFormProps) {
  const [model, setModel] = useState(models[0] ?? '')
  const { mutate, ...test } = useChange('connections.test', { showsErrors: true })
  const hasBegun = useRef(false)
  useEffect(() => {
    if (hasBegun.current || models[0] === undefined) return
    hasBegun.current = true
    mutate({ id, model: models[0] })
  }, [id, models, mutate])
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    mutate({ id, model: model.trim() })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field label="Model">
        <Input required value={model} onChange={(event) => setModel(event.currentTarget.value)} />
      </Field>
      <div role="status" className="min-h-10 text-sm">
        {test.isPending && <p className="text-ink-2">Testing {model}…</p>}
        {test.isError && <Problem text={sentenceOf(test.error).description} />}
        {test.data !== undefined &&
          !test.isPending &&
          (test.data.works ? (
            <p className="flex items-center gap-2 text-good">
              <CircleCheck aria-hidden size={16} className="shrink-0" />
              {test.data.model} answered after {formatDuration(test.data.durationMs)}.
            </p>
          ) : (
            <Problem text={test.data.problem ?? 'The test failed.'} />
          ))}
      </div>
      <DialogActions>
        <Button type="submit" isBusy={test.isPending} disabled={model.trim() === ''}>
          Test again
        </Button>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </form>
  )
}

const Problem = ({ text }: { readonly text: string }) => (
  <p className="flex gap-2 break-words text-bad">
    <CircleAlert aria-hidden size={16} className="mt-0.5 shrink-0" />
    {text}
  </p>
)
