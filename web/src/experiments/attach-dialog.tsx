/** Attaches the selected traces to an experiment. */
import schema from '@plumbline/sdk/input-schemas?experiments.attach'
import { useRead } from '../app/api.ts'
import { useOperationForm } from '../app/use-operation-form.ts'
import { Combobox } from '../ui/form/combobox.tsx'
import { CustomField } from '../ui/form/fields.tsx'
import { Form } from '../ui/form/form.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { useToasts } from '../ui/overlay/toast.tsx'
import { exactNumber } from '../ui/text/format.ts'
import { useOpenTraces } from './use-open-traces.ts'

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
    description="The traces are compared with the experiment’s other traces and scored by the evaluators they name. A trace can be in only one experiment."
  >
    <AttachForm {...props} />
  </Dialog>
)

function AttachForm({ traceIds, onClose }: AttachDialogProps) {
  const experiments = useRead('experiments.list', { limit: 1000 }).data?.experiments ?? []
  const toasts = useToasts()
  const openTraces = useOpenTraces()
  const form = useOperationForm('experiments.attach', {
    schema,
    initial: { id: undefined as string | undefined },
    // Safe: without an experiment, the schema check fails before anything is sent.
    toInput: ({ id }) => ({ id: id as string, traceIds: traceIds.slice(0, tracesAtOnce) }),
    refreshes: ['traces.list', 'traces.outline', 'traces.get', 'experiments.compare', 'metrics.query'],
    onDone: ({ attached, existing, elsewhere }, { id }) => {
      const remaining = [
        existing > 0 ? `${exactNumber(existing)} were already in it` : '',
        elsewhere.length > 0 ? `${exactNumber(elsewhere.length)} are in another experiment` : '',
      ].filter((part) => part !== '')
      toasts.done(`${exactNumber(attached)} attached`, {
        ...(remaining.length > 0 && { description: `${remaining.join(', ')}.` }),
      })
      onClose()
      openTraces(id)
    },
  })
  return (
    <Form form={form} action="Attach" onCancel={onClose} className="">
      <CustomField
        form={form}
        name="id"
        label="Experiment"
        hint={
          traceIds.length > tracesAtOnce &&
          `At most ${exactNumber(tracesAtOnce)} at a time; the rest are ignored.`
        }
      >
        {({ value, onChange }) => (
          <Combobox
            label="Experiment"
            choices={experiments.map(({ id, name, featureSlug }) => ({
              value: id,
              label: name,
              hint: featureSlug,
            }))}
            value={value}
            onChange={onChange}
          />
        )}
      </CustomField>
    </Form>
  )
}
