import type { Evaluator } from '@plumbline/sdk'
import schema from '@plumbline/sdk/input-schemas?evaluators.update'
import { useRead, useReadLatest } from '../../app/api.ts'
import { Path } from '../../app/path.tsx'
import { Screen } from '../../app/screen.tsx'
import { useSession } from '../../app/session.tsx'
import { useOperationForm } from '../../app/use-operation-form.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { useToasts } from '../../ui/overlay/toast.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { editEvaluatorRoute, evaluatorsStep } from '../routes.ts'
import { configText } from './config-text.ts'
import { EvaluatorForm } from './evaluator-form.tsx'
import {
  checkConfig,
  type EvaluatorInput,
  evaluatorInput,
  fieldsOfConfig,
  valuesOf,
} from './evaluator-values.ts'

/** Changes an evaluator. A change of the kind or the configuration creates a version. */
export function EditEvaluatorScreen() {
  const { slug } = editEvaluatorRoute.useParams()
  const query = useRead('evaluators.get', { slug })
  const { may } = useSession()
  const evaluator = query.data?.evaluator
  return (
    <Screen
      title={`Edit ${evaluator?.name ?? slug}`}
      heading={
        <Path
          parents={[
            evaluatorsStep,
            { label: evaluator?.name ?? slug, link: { to: '/evaluators/$slug', params: { slug } } },
          ]}
        >
          Edit
        </Path>
      }
    >
      {query.isError && evaluator === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : evaluator === undefined ? (
        <SkeletonRows />
      ) : may('editor') ? (
        <Editor key={evaluator.slug} evaluator={evaluator} />
      ) : (
        <EmptyState title="You can view evaluators but not edit them">
          Ask an admin for the editor role.
        </EmptyState>
      )}
    </Screen>
  )
}

function Editor({ evaluator }: { readonly evaluator: Evaluator }) {
  const navigate = editEvaluatorRoute.useNavigate()
  const readLatest = useReadLatest()
  const toasts = useToasts()
  const { ownPlace } = useSession()
  const { slug, version } = evaluator
  const goBack = (): void => void navigate({ to: '/evaluators/$slug', params: { slug } })
  const form = useOperationForm('evaluators.update', {
    schema,
    initial: valuesOf(evaluator),
    draftName: `evaluator.${ownPlace}/${slug}`,
    fieldOf: fieldsOfConfig,
    check: checkConfig,
    toInput: evaluatorInput,
    readLatest: async () => valuesOf((await readLatest('evaluators.get', { slug })).evaluator),
    refreshes: ['evaluators.list', 'evaluators.get', 'evaluators.versions'],
    onDone: ({ evaluator: newEvaluator }) => {
      toasts.done(
        newEvaluator.version === version
          ? `Saved "${newEvaluator.name}"`
          : `Version ${newEvaluator.version} is now in use`,
      )
      goBack()
    },
  })
  const isOther = ({ kind, config }: EvaluatorInput): boolean =>
    kind !== evaluator.kind || configText(config) !== configText(evaluator.config)
  return (
    <EvaluatorForm
      form={form}
      isNew={false}
      action="Save"
      noteOf={(input) =>
        isOther(input)
          ? `Saving creates version ${version + 1}. Scores from version ${version} do not change.`
          : `This does not create a new version.`
      }
      onCancel={goBack}
    />
  )
}
