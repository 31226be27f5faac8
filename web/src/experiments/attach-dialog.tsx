/** Lets chosen traces join an experiment. */
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useChange, useRead } from '../app/api.ts'
import { Combobox } from '../ui/combobox.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { FormActions } from '../ui/form-actions.tsx'
import { exactNumber } from '../ui/format.ts'
import { useToasts } from '../ui/toast.tsx'

interface AttachDialogProps {
  readonly traceIds: readonly string[]
  readonly onClose: () => void
}

/** The maximum the service accepts per request. */
const tracesAtOnce = 1000

export const AttachDialog = (props: AttachDialogProps) => (
  <Dialog
    isOpen
    onClose={props.onClose}
    title={`Attach ${props.traceIds.length === 1 ? 'this trace' : `${exactNumber(props.traceIds.length)} traces`} to an experiment`}
    description="The traces are compared with the experiment’s other traces and scored by the evaluators they name. A trace can be in one experiment."
  >
    <AttachForm {...props} />
  </Dialog>
)

function AttachForm({ traceIds, onClose }: AttachDialogProps) {
  const experiments = useRead('experiments.list', { limit: 1000 }).data?.experiments ?? []
  const [id, setId] = useState<string>()
  const toasts = useToasts()
  const navigate = useNavigate()
  const attach = useChange('experiments.attach', {
    refreshes: ['traces.list', 'traces.get', 'experiments.compare', 'metrics.query'],
    showsErrors: true,
    onDone: ({ attached, existing, elsewhere }) => {
      const left = [
        existing > 0 ? `${exactNumber(existing)} were already in it` : '',
        elsewhere.length > 0 ? `${exactNumber(elsewhere.length)} are in another experiment` : '',
      ].filter((part) => part !== '')
      toasts.done(`${exactNumber(attached)} attached`, {
        ...(left.length > 0 && { description: `${left.join(', ')}.` }),
      })
      onClose()
      void navigate({ to: '/traces', search: { q: `experiment:${id}`, range: '90d' } })
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (id !== undefined) attach.mutate({ id, traceIds: traceIds.slice(0, tracesAtOnce) })
  }
  return (
    <form onSubmit={submit}>
      <Field
        label="Experiment"
        hint={
          traceIds.length > tracesAtOnce &&
          `At most ${exactNumber(tracesAtOnce)} at a time; the rest are ignored.`
        }
      >
        <Combobox
          label="Experiment"
          choices={experiments.map(({ id: value, name, featureSlug }) => ({
            value,
            label: name,
            hint: featureSlug,
          }))}
          value={id}
          onChange={setId}
        />
      </Field>
      <FormActions
        action="Attach"
        onCancel={onClose}
        isDisabled={id === undefined}
        isBusy={attach.isPending}
        error={attach.error}
      />
    </form>
  )
}
