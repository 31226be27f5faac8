/** The queue of evaluations: waiting with reasons, running, and failed ones to retry. */
import { useRead } from '../../app/api.ts'
import { Select } from '../../ui/form/select.tsx'
import { evaluatorsRoute } from '../routes.ts'
import { EvaluationList } from './evaluation-list.tsx'
import { GroupList } from './group-list.tsx'
import { QueueCounts } from './queue-counts.tsx'
import { useEvaluations } from './use-evaluations.ts'

const every = 'every'

export function QueueTab() {
  const { status, evaluator, open } = evaluatorsRoute.useSearch()
  const navigate = evaluatorsRoute.useNavigate()
  const change = (next: ReturnType<typeof evaluatorsRoute.useSearch>): void =>
    void navigate({ search: (previous) => ({ ...previous, ...next }), replace: true })
  const evaluators = useRead('evaluators.list', {}).data?.evaluators ?? []
  const query = useEvaluations({
    ...(status !== undefined && { status }),
    ...(evaluator !== undefined && { evaluatorSlug: evaluator }),
  })
  return (
    <div className="flex h-full flex-col overflow-y-auto">
      <QueueCounts
        counts={query.counts}
        status={status}
        onChoose={(next) => change({ status: next, open: undefined })}
      />
      <GroupList groups={query.groups ?? []} />
      <div className="flex shrink-0 items-center gap-2 border-b border-line px-4 py-2">
        <Select
          label="Evaluator"
          className="w-64 max-w-full"
          choices={[
            { value: every, label: 'All evaluators' },
            ...evaluators.map(({ slug, name }) => ({ value: slug, label: name })),
          ]}
          value={evaluator ?? every}
          onChange={(next) => change({ evaluator: next === every ? undefined : next, open: undefined })}
        />
      </div>
      <EvaluationList
        key={`${status} ${evaluator}`}
        query={query}
        status={status}
        evaluatorSlug={evaluator}
        evaluators={evaluators}
        openId={open}
        onOpen={(next) => change({ open: next })}
      />
    </div>
  )
}
