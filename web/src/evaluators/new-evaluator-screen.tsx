import { useChange } from '../app/api.ts'
import { Screen } from '../app/screen.tsx'
import { useToasts } from '../ui/toast.tsx'
import { newDraft } from './draft.ts'
import { EvaluatorForm } from './evaluator-form.tsx'
import { EvaluatorPath } from './evaluator-path.tsx'
import { isKind } from './kinds.ts'
import { newEvaluatorRoute } from './routes.ts'

/** Makes an evaluator. */
export function NewEvaluatorScreen() {
  const { kind } = newEvaluatorRoute.useSearch()
  const navigate = newEvaluatorRoute.useNavigate()
  const toasts = useToasts()
  const create = useChange('evaluators.create', {
    refreshes: ['evaluators.list'],
    showsErrors: true,
    onDone: ({ evaluator }) => {
      toasts.done(`Created "${evaluator.name}"`)
      void navigate({ to: '/evaluators/$slug', params: { slug: evaluator.slug } })
    },
  })
  return (
    <Screen title="New evaluator" heading={<EvaluatorPath last="New" />}>
      <EvaluatorForm
        initial={newDraft(isKind(kind) ? kind : 'contains')}
        isNew
        action="Create"
        error={create.error}
        isBusy={create.isPending}
        onSave={(input) => create.mutate(input)}
        onCancel={() => void navigate({ to: '/evaluators' })}
      />
    </Screen>
  )
}
