/** The running, recent and failed evaluations of an evaluator, and their cost. */
import type { Evaluator } from '@plumbline/sdk'
import { useRead } from '../app/api.ts'
import { TimeChart } from '../ui/charts/time-chart.tsx'
import { Select } from '../ui/form/select.tsx'
import { formatMoney } from '../ui/text/format.ts'
import { Money } from '../ui/text/values.tsx'
import { EvaluationList } from './queue/evaluation-list.tsx'
import { type Status, statusWords } from './queue/status-badge.tsx'
import { useEvaluations } from './queue/use-evaluations.ts'
import { evaluatorRoute } from './routes.ts'
import { useJudging } from './use-judging.ts'

const unfiltered = 'any'
const choices = [
  { value: unfiltered, label: 'Any status' },
  ...(Object.keys(statusWords) as Status[]).map((status) => ({
    value: status,
    label: statusWords[status].label,
    hint: statusWords[status].hint,
  })),
] as const

export function EvaluationsTab({ evaluator }: { readonly evaluator: Evaluator }) {
  const { slug } = evaluator
  const { status, open } = evaluatorRoute.useSearch()
  const navigate = evaluatorRoute.useNavigate()
  const evaluators = useRead('evaluators.list', {}).data?.evaluators ?? [evaluator]
  const query = useEvaluations({ evaluatorSlug: slug, ...(status !== undefined && { status }) })
  const { judging } = useJudging(slug)
  const change = (next: ReturnType<typeof evaluatorRoute.useSearch>): void =>
    void navigate({ search: (search) => ({ ...search, ...next }), replace: true })
  return (
    <div className="flex h-full flex-col overflow-y-auto">
      {judging !== undefined && judging.cost !== null && (
        <section aria-label="Evaluation cost" className="shrink-0 border-b border-line p-4">
          <h2 className="text-xs text-ink-3">Evaluation cost in this range</h2>
          <p className="mb-2 text-title font-semibold [&_.numbers]:font-sans [&_.numbers]:text-title">
            <Money value={judging.cost} />
          </p>
          <TimeChart
            label="Evaluation cost over time"
            kind="bars"
            height={110}
            times={judging.times}
            series={[{ key: 'cost', label: 'Cost', values: judging.costs, color: 'accent' }]}
            format={formatMoney}
          />
        </section>
      )}
      <div className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-2 text-sm text-ink-2">
        <Select
          label="Status"
          className="w-44"
          choices={choices}
          value={status ?? unfiltered}
          onChange={(next) => change({ status: next === unfiltered ? undefined : next, open: undefined })}
        />
      </div>
      <EvaluationList
        key={status}
        query={query}
        status={status}
        evaluatorSlug={slug}
        isOfOne
        evaluators={evaluators}
        openId={open}
        onOpen={(next) => change({ open: next })}
      />
    </div>
  )
}
