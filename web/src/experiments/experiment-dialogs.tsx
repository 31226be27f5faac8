/** Creates, renames and deletes an experiment. */
import schema from '@plumbline/sdk/input-schemas?experiments.create'
import { useState } from 'react'
import { useRead } from '../app/api.ts'
import { DeleteDialog } from '../app/delete-dialog.tsx'
import { RenameDialog } from '../app/rename-dialog.tsx'
import { useOperationForm } from '../app/use-operation-form.ts'
import { Button } from '../ui/button.tsx'
import { Combobox } from '../ui/form/combobox.tsx'
import { CustomField, TextField } from '../ui/form/fields.tsx'
import { Form } from '../ui/form/form.tsx'
import { Dialog, DialogActions } from '../ui/overlay/dialog.tsx'
import { CopyBox } from '../ui/text/copy-box.tsx'
import type { Experiment } from './experiment-columns.tsx'

interface ExperimentDialogProps {
  readonly experiment: Experiment | undefined
  readonly onClose: () => void
}

export const RenameExperimentDialog = ({ experiment, onClose }: ExperimentDialogProps) => (
  <RenameDialog
    item={experiment}
    noun="experiment"
    operation="experiments.update"
    toInput={({ id }, name) => ({ id, name })}
    refreshes={['experiments.list', 'experiments.compare']}
    onClose={onClose}
  />
)

export const DeleteExperimentDialog = ({ experiment, onClose }: ExperimentDialogProps) => (
  <DeleteDialog
    item={experiment}
    noun="experiment"
    operation="experiments.delete"
    toInput={({ id }) => ({ id })}
    nameOf={({ name }) => name}
    typedName={({ name }) => name}
    refreshes={['experiments.list']}
    onClose={onClose}
  >
    You can no longer compare it, and this cannot be undone. Its traces and scores are kept.
  </DeleteDialog>
)

interface NewExperimentDialogProps {
  readonly isOpen: boolean
  readonly featureSlug: string | undefined
  readonly onClose: () => void
}

/** Creates an experiment and shows the id that traces name to join it. */
export function NewExperimentDialog({ isOpen, featureSlug, onClose }: NewExperimentDialogProps) {
  const [newExperiment, setMade] = useState<Experiment>()
  const close = (): void => {
    onClose()
    setMade(undefined)
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title={newExperiment === undefined ? 'New experiment' : `"${newExperiment.name}" is ready for traces`}
      description={
        newExperiment === undefined
          ? undefined
          : 'Send this id with your traces to add them. The SDK’s `experiment` creates its own and runs a dataset.'
      }
    >
      {newExperiment === undefined ? (
        <ExperimentForm initialFeature={featureSlug} onMade={setMade} onClose={close} />
      ) : (
        <>
          <CopyBox
            text={newExperiment.id}
            label="Copy ID"
          >{`"experiment": { "id": "${newExperiment.id}" }`}</CopyBox>
          <DialogActions>
            <Button look="primary" onClick={close}>
              Done
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}

interface ExperimentFormProps {
  readonly initialFeature: string | undefined
  readonly onMade: (experiment: Experiment) => void
  readonly onClose: () => void
}

function ExperimentForm({ initialFeature, onMade, onClose }: ExperimentFormProps) {
  const features = useRead('features.list', {}).data?.features ?? []
  const form = useOperationForm('experiments.create', {
    schema,
    initial: { name: '', featureSlug: initialFeature },
    // Safe: without a feature, the schema check fails before anything is sent.
    toInput: ({ name, featureSlug }) => ({ name: name.trim(), featureSlug: featureSlug as string }),
    refreshes: ['experiments.list'],
    onDone: onMade,
  })
  return (
    <Form form={form} action="Create" onCancel={onClose}>
      <TextField
        form={form}
        name="name"
        label="Name"
        hint="What you are testing: a model, a prompt, a setting."
        autoFocus
      />
      <CustomField form={form} name="featureSlug" label="Feature" hint="The part of your product under test.">
        {({ value, onChange }) => (
          <Combobox
            label="Feature"
            choices={features.map(({ slug, name }) => ({ value: slug, label: name }))}
            value={value}
            onChange={onChange}
          />
        )}
      </CustomField>
    </Form>
  )
}
