/** A new experiment, another name for one, and its end. */
import { type FormEvent, useState } from 'react'
import { useChange, useRead } from '../app/api.ts'
import { Button } from '../ui/button.tsx'
import { Combobox } from '../ui/combobox.tsx'
import { CopyBox } from '../ui/copy-box.tsx'
import { ConfirmDialog, Dialog, DialogActions } from '../ui/dialog.tsx'
import { Field, Input } from '../ui/field.tsx'
import { FormActions } from '../ui/form-actions.tsx'
import { NameDialog } from '../ui/name-dialog.tsx'
import { useToasts } from '../ui/toast.tsx'
import type { Experiment } from './experiment-columns.tsx'

interface ExperimentDialogProps {
  readonly experiment: Experiment | undefined
  readonly onClose: () => void
}

export function RenameExperimentDialog({ experiment, onClose }: ExperimentDialogProps) {
  const rename = useChange('experiments.update', {
    refreshes: ['experiments.list', 'experiments.compare'],
    showsErrors: true,
    onDone: onClose,
  })
  return (
    <NameDialog
      isOpen={experiment !== undefined}
      onClose={onClose}
      title="Rename experiment"
      action="Rename"
      initial={experiment?.name ?? ''}
      isBusy={rename.isPending}
      error={rename.error}
      onDone={(name) => experiment && rename.mutate({ id: experiment.id, name })}
    />
  )
}

export function DeleteExperimentDialog({ experiment, onClose }: ExperimentDialogProps) {
  const toasts = useToasts()
  const remove = useChange('experiments.delete', {
    refreshes: ['experiments.list'],
    onDone: () => {
      toasts.done(`Deleted "${experiment?.name ?? ''}"`)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      isOpen={experiment !== undefined}
      onClose={onClose}
      title="Delete this experiment?"
      action="Delete"
      typedName={experiment?.name ?? ''}
      isBusy={remove.isPending}
      onConfirm={() => experiment && remove.mutate({ id: experiment.id })}
    >
      You can no longer compare it, and this cannot be undone. Its traces and scores are kept.
    </ConfirmDialog>
  )
}

interface NewExperimentDialogProps {
  readonly isOpen: boolean
  readonly featureSlug: string | undefined
  readonly onClose: () => void
}

/** Makes an experiment and tells the id that traces name to belong to it. */
export function NewExperimentDialog({ isOpen, featureSlug, onClose }: NewExperimentDialogProps) {
  const [made, setMade] = useState<Experiment>()
  const close = (): void => {
    onClose()
    setMade(undefined)
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title={made === undefined ? 'New experiment' : `"${made.name}" is ready for traces`}
      description={
        made === undefined
          ? undefined
          : 'Send this id with your traces to add them. The SDK’s `experiment` creates its own and runs a dataset.'
      }
    >
      {made === undefined ? (
        <ExperimentForm initialFeature={featureSlug} onMade={setMade} onClose={close} />
      ) : (
        <>
          <CopyBox text={made.id} label="Copy ID">{`"experiment": { "id": "${made.id}" }`}</CopyBox>
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
  const [featureSlug, setFeatureSlug] = useState(initialFeature)
  const [name, setName] = useState('')
  const create = useChange('experiments.create', {
    refreshes: ['experiments.list'],
    showsErrors: true,
    onDone: onMade,
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (featureSlug !== undefined) create.mutate({ name: name.trim(), featureSlug })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field label="Name" hint="What you are testing: a model, a prompt, a setting.">
        <Input value={name} onChange={(event) => setName(event.currentTarget.value)} autoFocus required />
      </Field>
      <Field label="Feature" hint="The part of your product under test.">
        <Combobox
          label="Feature"
          choices={features.map(({ slug, name: label }) => ({ value: slug, label }))}
          value={featureSlug}
          onChange={setFeatureSlug}
        />
      </Field>
      <FormActions
        action="Create"
        onCancel={onClose}
        isDisabled={name.trim() === '' || featureSlug === undefined}
        isBusy={create.isPending}
        error={create.error}
      />
    </form>
  )
}
