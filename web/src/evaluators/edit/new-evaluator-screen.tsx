import schema from '@plumbline/sdk/input-schemas?evaluators.create'
import { useRead } from '../../app/api.ts'
import { Path } from '../../app/path.tsx'
import { Screen } from '../../app/screen.tsx'
import { useSession } from '../../app/session.tsx'
import { useOperationForm } from '../../app/use-operation-form.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Select } from '../../ui/form/select.tsx'
import { useToasts } from '../../ui/overlay/toast.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { evaluatorsStep, newEvaluatorRoute } from '../routes.ts'
import { EvaluatorForm } from './evaluator-form.tsx'
import {
  checkConfig,
  type EvaluatorValues,
  evaluatorInput,
  fieldsOfConfig,
  newEvaluator,
  valuesOfTemplate,
} from './evaluator-values.ts'
import { isKind } from './kinds.ts'

const nothing = 'nothing'

const needWords = {
  input: 'an input',
  output: 'an output',
  idealOutput: 'an ideal output',
  context: 'retrieved context',
} as const

/** Creates an evaluator, from scratch or from a template. */
export function NewEvaluatorScreen() {
  const { may } = useSession()
  return (
    <Screen title="New evaluator" heading={<Path parents={[evaluatorsStep]}>New</Path>}>
      {may('editor') ? (
        <ChosenStart />
      ) : (
        <EmptyState title="You can view evaluators but not edit them">
          Ask an admin for the editor role.
        </EmptyState>
      )}
    </Screen>
  )
}

function ChosenStart() {
  const { kind, template: slug } = newEvaluatorRoute.useSearch()
  const navigate = newEvaluatorRoute.useNavigate()
  const answer = useRead('evaluators.templates', {})
  const templates = answer.data?.templates
  const template = templates?.find((candidate) => candidate.slug === slug)
  return (
    <>
      <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2 text-sm text-ink-2">
        <span>Start from</span>
        <Select
          label="Start from"
          className="w-72 max-w-full"
          choices={[
            { value: nothing, label: 'Blank' },
            ...(templates ?? []).map((item) => ({
              value: item.slug,
              label: item.name,
              hint: item.description,
            })),
          ]}
          value={template?.slug ?? nothing}
          onChange={(next) =>
            void navigate({ search: next === nothing ? {} : { template: next }, replace: true })
          }
        />
        {template !== undefined && template.needs.length > 0 && (
          <span>Needs traces with {template.needs.map((need) => needWords[need]).join(' and ')}.</span>
        )}
      </div>
      {slug !== undefined && templates === undefined && !answer.isError ? (
        <SkeletonRows />
      ) : (
        <NewEvaluator
          key={template?.slug}
          name={`new/${template?.slug ?? kind ?? ''}`}
          initial={
            template === undefined
              ? newEvaluator(isKind(kind) ? kind : 'contains')
              : valuesOfTemplate(template)
          }
        />
      )}
    </>
  )
}

interface NewEvaluatorProps {
  /** Of the draft of what is typed. */
  readonly name: string
  readonly initial: EvaluatorValues
}

function NewEvaluator({ name, initial }: NewEvaluatorProps) {
  const { ownPlace } = useSession()
  const navigate = newEvaluatorRoute.useNavigate()
  const toasts = useToasts()
  const form = useOperationForm('evaluators.create', {
    schema,
    initial,
    draftName: `evaluator.${ownPlace}/${name}`,
    fieldOf: fieldsOfConfig,
    check: checkConfig,
    toInput: evaluatorInput,
    refreshes: ['evaluators.list'],
    onDone: ({ evaluator }) => {
      toasts.done(`Created "${evaluator.name}"`)
      void navigate({ to: '/evaluators/$slug', params: { slug: evaluator.slug } })
    },
  })
  return (
    <EvaluatorForm form={form} isNew action="Create" onCancel={() => void navigate({ to: '/evaluators' })} />
  )
}
