/** Plans a run: target, dataset, evaluators, repetitions and spending limit. */
import schema from '@plumbline/sdk/input-schemas?experimentRuns.create'
import { Link } from '@tanstack/react-router'
import { Play } from 'lucide-react'
import { type FieldPath, useController, useFormState } from 'react-hook-form'
import { type Input, type Output, useChange, useRead } from '../../app/api.ts'
import { Path } from '../../app/path.tsx'
import { Screen } from '../../app/screen.tsx'
import { useSession } from '../../app/session.tsx'
import { Chip } from '../../ui/badge.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { LabelledCheckbox } from '../../ui/form/checkbox.tsx'
import { Combobox } from '../../ui/form/combobox.tsx'
import { Group } from '../../ui/form/field.tsx'
import { CustomField, NumberField, TextField } from '../../ui/form/fields.tsx'
import { BareForm } from '../../ui/form/form.tsx'
import { FormActions } from '../../ui/form/form-actions.tsx'
import { type Form, useForm } from '../../ui/form/use-form.ts'
import { RestoredNote } from '../../ui/storage/restored-note.tsx'
import { experimentsStep, runExperimentRoute } from '../routes.ts'
import { everyRow, RowFields, rowsLabel, useRowChoices } from './row-fields.tsx'
import {
  checkRun,
  fieldsOfRun,
  newRunDraft,
  type PlannedRun,
  type RunDraft,
  toRunInput,
} from './run-draft.ts'
import { RunEstimateView } from './run-estimate.tsx'
import { TargetFields } from './target-fields.tsx'

export function RunExperimentScreen() {
  const mayChange = useSession().may('editor')
  return (
    <Screen title="Run experiment" heading={<Path parents={[experimentsStep]}>Run</Path>}>
      {mayChange ? (
        <LoadedRunForm />
      ) : (
        <EmptyState icon={<Play size={20} />} title="Only editors can run experiments">
          Ask an admin for the editor role.
        </EmptyState>
      )}
    </Screen>
  )
}

/** The form waits for its choices: without them, it would look as if there were no datasets or prompts. */
function LoadedRunForm() {
  const datasets = useRead('datasets.list', {})
  const prompts = useRead('prompts.list', {})
  const failedRead = [datasets, prompts].find(({ isError, data }) => isError && data === undefined)
  if (failedRead !== undefined)
    return (
      <ErrorState
        error={failedRead.error}
        onRetry={() => void Promise.all([datasets.refetch(), prompts.refetch()])}
      />
    )
  return <RunForm datasets={datasets.data?.datasets ?? []} prompts={prompts.data?.prompts ?? []} />
}

interface RunFormProps {
  readonly datasets: Output<'datasets.list'>['datasets']
  readonly prompts: Output<'prompts.list'>['prompts']
}

/** Endpoint headers contain secrets. */
const secrets = ['headers'] as const

function RunForm({ datasets, prompts }: RunFormProps) {
  const search = runExperimentRoute.useSearch()
  const { dataset, datasetVersion, rows, split, label, prompt, version } = search
  const { ownPlace } = useSession()
  const navigate = runExperimentRoute.useNavigate()
  const create = useChange('experimentRuns.create', {
    refreshes: ['experimentRuns.list', 'experiments.list'],
    showsErrors: true,
    onDone: ({ run }) => void navigate({ to: '/experiments/runs/$id', params: { id: run.id } }),
  })
  const form = useForm<RunDraft, PlannedRun>({
    schema,
    initial: newRunDraft({
      datasetSlug: dataset,
      datasetVersion,
      rowIds: rows?.split(','),
      split,
      label,
      promptSlug: prompt,
      version,
    }),
    draftName: `run.${ownPlace}/${JSON.stringify(search)}`,
    secrets,
    check: checkRun,
    toInput: toRunInput,
    fieldOf: fieldsOfRun,
    // Safe: the schema has checked it.
    send: (input) => create.mutateAsync(input as Input<'experimentRuns.create'>),
  })
  const { isSubmitting, errors } = useFormState({ control: form.control })
  const draft = form.watch()
  const change = (patch: Partial<RunDraft>): void => {
    // Safe: a patch contains only form fields.
    for (const [name, value] of Object.entries(patch))
      form.setValue(name as FieldPath<RunDraft>, value as never, { shouldDirty: true })
  }
  const selectedDataset = datasets.find(({ slug }) => slug === draft.datasetSlug)
  const choices = useRowChoices(draft, selectedDataset?.rowCount)
  const featureOfPrompt =
    draft.kind === 'prompt' ? prompts.find(({ slug }) => slug === draft.promptSlug)?.featureSlug : undefined
  return (
    <BareForm
      form={form}
      guardsPage
      className="grid max-w-5xl grid-cols-[minmax(0,1fr)_280px] items-start gap-8 p-4 max-lg:grid-cols-1"
    >
      <div className="flex min-w-0 flex-col gap-5">
        {form.isRestored && <RestoredNote onDiscard={form.discardDraft} />}
        <CustomField form={form} name="datasetSlug" label="Dataset" isRequired={false}>
          {({ value, onChange }) => (
            <Combobox
              label="Dataset"
              choices={datasets.map(({ slug, name, rowCount }) => ({
                value: slug,
                label: name,
                hint: rowsLabel(rowCount),
              }))}
              value={value}
              onChange={(datasetSlug) => {
                change(everyRow)
                onChange(datasetSlug)
              }}
            />
          )}
        </CustomField>
        {draft.rowIds !== undefined && (
          <p className="-mt-3">
            <Chip label="the row selection" onRemove={() => change({ rowIds: undefined })}>
              Only {draft.rowIds.length} selected {draft.rowIds.length === 1 ? 'row' : 'rows'}
            </Chip>
          </p>
        )}
        <RowFields draft={draft} choices={choices} onChange={change} />
        <TargetFields form={form} prompts={prompts} columns={selectedDataset?.columns} />
        <EvaluatorChoice form={form} />
        <LimitFields form={form} />
        <NameFields form={form} featureOfPrompt={featureOfPrompt} />
      </div>
      <aside className="sticky top-4 flex flex-col gap-4 rounded border border-line p-4">
        <RunEstimateView draft={draft} rows={draft.rowIds?.length ?? choices.rowCount} />
        <FormActions
          action="Run experiment"
          isBusy={isSubmitting}
          error={errors.root?.message}
          onCancel={() => void navigate({ to: '/experiments' })}
        />
      </aside>
    </BareForm>
  )
}

interface FieldsProps {
  readonly form: Form<RunDraft>
}

function EvaluatorChoice({ form }: FieldsProps) {
  const { field, fieldState } = useController({ control: form.control, name: 'evaluatorSlugs' })
  const slugs: readonly string[] = field.value
  const read = useRead('evaluators.list', {})
  const evaluators = read.data?.evaluators
  if (evaluators === undefined)
    return read.isError ? <ErrorState error={read.error} onRetry={() => void read.refetch()} /> : null
  return (
    <Group
      label="Evaluators"
      hint="Each one scores every case, regardless of its sampling rate."
      problem={fieldState.error?.message}
    >
      {evaluators.length === 0 ? (
        <p className="text-sm text-ink-2">
          There are no evaluators yet. Without one, you can only compare cost and duration.{' '}
          <Link to="/evaluators/new" className="text-accent-ink hover:underline">
            Create one
          </Link>
        </p>
      ) : (
        <div className="grid max-h-56 grid-cols-2 gap-x-4 gap-y-2 overflow-y-auto rounded border border-line p-3 max-sm:grid-cols-1">
          {evaluators.map(({ slug, name }) => (
            <LabelledCheckbox
              key={slug}
              label={name}
              isChecked={slugs.includes(slug)}
              onChange={(isOn) =>
                field.onChange(isOn ? [...slugs, slug] : slugs.filter((other) => other !== slug))
              }
            />
          ))}
        </div>
      )}
    </Group>
  )
}

const LimitFields = ({ form }: FieldsProps) => (
  <div className="grid grid-cols-3 gap-4 max-sm:grid-cols-1">
    <NumberField
      form={form}
      name="repetitions"
      label="Runs per row"
      hint="More than one shows how much outputs vary."
      inputMode="numeric"
    />
    <NumberField
      form={form}
      name="concurrency"
      label="Concurrency"
      hint="Up to the connection’s limit."
      inputMode="numeric"
    />
    <NumberField form={form} name="spendMax" label="Spending limit ($)" hint="Leave empty for no limit." />
  </div>
)

interface NameFieldsProps extends FieldsProps {
  /** The default: the feature of the selected prompt. */
  readonly featureOfPrompt: string | undefined
}

function NameFields({ form, featureOfPrompt }: NameFieldsProps) {
  const features = useRead('features.list', {}).data?.features ?? []
  return (
    <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
      <TextField
        form={form}
        name="name"
        label="Name"
        hint="Leave empty to name it after the target and dataset."
        maxLength={300}
      />
      <CustomField
        form={form}
        name="featureSlug"
        label="Feature"
        hint={
          featureOfPrompt === undefined
            ? 'The part of your product under test.'
            : 'Leave empty to use the prompt’s feature.'
        }
      >
        {({ value, onChange }) => (
          <Combobox
            label="Feature"
            choices={features.map(({ slug, name }) => ({ value: slug, label: name }))}
            value={value ?? featureOfPrompt}
            onChange={onChange}
          />
        )}
      </CustomField>
    </div>
  )
}
