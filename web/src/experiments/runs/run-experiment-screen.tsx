/** Plans a run: target, dataset, evaluators, repetitions and spending limit. */
import { Link } from '@tanstack/react-router'
import { Play } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useChange, useRead } from '../../app/api.ts'
import { Path } from '../../app/path.tsx'
import { Screen } from '../../app/screen.tsx'
import { useSession } from '../../app/session.tsx'
import { Chip } from '../../ui/badge.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LabelledCheckbox } from '../../ui/form/checkbox.tsx'
import { Combobox } from '../../ui/form/combobox.tsx'
import { Field, Group, Input } from '../../ui/form/field.tsx'
import { FormActions } from '../../ui/form/form-actions.tsx'
import { experimentsStep, runExperimentRoute } from '../routes.ts'
import { everyRow, RowFields, rowsLabel, useRowChoices } from './row-fields.tsx'
import { newRunDraft, type RunDraft, readRunDraft } from './run-draft.ts'
import { RunEstimateView } from './run-estimate.tsx'
import { TargetFields } from './target-fields.tsx'

export function RunExperimentScreen() {
  const mayChange = useSession().may('editor')
  return (
    <Screen title="Run experiment" heading={<Path parents={[experimentsStep]}>Run</Path>}>
      {mayChange ? (
        <RunForm />
      ) : (
        <EmptyState icon={<Play size={20} />} title="Only editors can run experiments">
          Ask an admin for the editor role.
        </EmptyState>
      )}
    </Screen>
  )
}

function RunForm() {
  const { dataset, datasetVersion, rows, split, label, prompt, version } = runExperimentRoute.useSearch()
  const navigate = runExperimentRoute.useNavigate()
  const [draft, setDraft] = useState<RunDraft>(() =>
    newRunDraft({
      datasetSlug: dataset,
      datasetVersion,
      rowIds: rows?.split(','),
      split,
      label,
      promptSlug: prompt,
      version,
    }),
  )
  const [problem, setProblem] = useState<string>()
  const datasets = useRead('datasets.list', {}).data?.datasets ?? []
  const features = useRead('features.list', {}).data?.features ?? []
  const prompts = useRead('prompts.list', {}).data?.prompts ?? []
  const change = (patch: Partial<RunDraft>): void => {
    setDraft((previous) => ({ ...previous, ...patch }))
    setProblem(undefined)
  }
  const create = useChange('experimentRuns.create', {
    refreshes: ['experimentRuns.list', 'experiments.list'],
    showsErrors: true,
    onDone: ({ run }) => void navigate({ to: '/experiments/runs/$id', params: { id: run.id } }),
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const read = readRunDraft(draft)
    if ('problem' in read) setProblem(read.problem)
    else create.mutate(read.input)
  }
  const selectedDataset = datasets.find(({ slug }) => slug === draft.datasetSlug)
  const choices = useRowChoices(draft, selectedDataset?.rowCount)
  const featureOfPrompt =
    draft.kind === 'prompt' ? prompts.find(({ slug }) => slug === draft.promptSlug)?.featureSlug : undefined
  return (
    <form
      onSubmit={submit}
      className="grid max-w-5xl grid-cols-[minmax(0,1fr)_280px] items-start gap-8 p-4 max-lg:grid-cols-1"
    >
      <div className="flex min-w-0 flex-col gap-5">
        <Field label="Dataset">
          <Combobox
            label="Dataset"
            choices={datasets.map(({ slug, name, rowCount }) => ({
              value: slug,
              label: name,
              hint: rowsLabel(rowCount),
            }))}
            value={draft.datasetSlug}
            onChange={(datasetSlug) => change({ ...everyRow, datasetSlug })}
          />
        </Field>
        {draft.rowIds !== undefined && (
          <p className="-mt-3">
            <Chip label="the row selection" onRemove={() => change({ rowIds: undefined })}>
              Only {draft.rowIds.length} selected {draft.rowIds.length === 1 ? 'row' : 'rows'}
            </Chip>
          </p>
        )}
        <RowFields draft={draft} choices={choices} onChange={change} />
        <TargetFields draft={draft} prompts={prompts} columns={selectedDataset?.columns} onChange={change} />
        <EvaluatorChoice
          columns={draft.evaluatorSlugs}
          onChange={(evaluatorSlugs) => change({ evaluatorSlugs })}
        />
        <LimitFields draft={draft} onChange={change} />
        <NameFields draft={draft} features={features} featureOfPrompt={featureOfPrompt} onChange={change} />
      </div>
      <aside className="sticky top-4 flex flex-col gap-4 rounded border border-line p-4">
        <RunEstimateView draft={draft} rows={draft.rowIds?.length ?? choices.rowCount} />
        <FormActions
          action="Run experiment"
          isBusy={create.isPending}
          error={problem ?? create.error}
          onCancel={() => void navigate({ to: '/experiments' })}
        />
      </aside>
    </form>
  )
}

function EvaluatorChoice({
  columns,
  onChange,
}: {
  readonly columns: readonly string[]
  readonly onChange: (slugs: readonly string[]) => void
}) {
  const evaluators = useRead('evaluators.list', {}).data?.evaluators
  if (evaluators === undefined) return null
  return (
    <Group label="Evaluators" hint="Each one scores every case, regardless of its sampling rate.">
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
              isChecked={columns.includes(slug)}
              onChange={(isOn) =>
                onChange(isOn ? [...columns, slug] : columns.filter((chosenSlug) => chosenSlug !== slug))
              }
            />
          ))}
        </div>
      )}
    </Group>
  )
}

interface DraftFieldsProps {
  readonly draft: RunDraft
  readonly onChange: (change: Partial<RunDraft>) => void
}

const LimitFields = ({ draft, onChange: change }: DraftFieldsProps) => (
  <div className="grid grid-cols-3 gap-4 max-sm:grid-cols-1">
    <Field label="Runs per row" hint="More than one shows how much outputs vary.">
      <Input
        inputMode="numeric"
        value={draft.repetitions}
        onChange={(event) => change({ repetitions: event.currentTarget.value })}
      />
    </Field>
    <Field label="Concurrency" hint="Up to the connection’s limit.">
      <Input
        inputMode="numeric"
        value={draft.concurrency}
        onChange={(event) => change({ concurrency: event.currentTarget.value })}
      />
    </Field>
    <Field label="Spending limit ($)" hint="Leave empty for no limit.">
      <Input
        inputMode="decimal"
        value={draft.spendMax}
        onChange={(event) => change({ spendMax: event.currentTarget.value })}
      />
    </Field>
  </div>
)

interface NameFieldsProps extends DraftFieldsProps {
  readonly features: readonly { readonly slug: string; readonly name: string }[]
  /** The feature of the chosen prompt: the default. */
  readonly featureOfPrompt: string | undefined
}

const NameFields = ({ draft, features, featureOfPrompt, onChange: change }: NameFieldsProps) => (
  <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
    <Field label="Name" hint="Leave empty to name it after the target and dataset.">
      <Input
        value={draft.name}
        maxLength={300}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
    </Field>
    <Field
      label="Feature"
      hint={
        featureOfPrompt === undefined
          ? 'The part of your product under test.'
          : 'Leave empty to use the prompt’s feature.'
      }
    >
      <Combobox
        label="Feature"
        choices={features.map(({ slug, name }) => ({ value: slug, label: name }))}
        value={draft.featureSlug ?? featureOfPrompt}
        onChange={(featureSlug) => change({ featureSlug })}
      />
    </Field>
  </div>
)
