import { useRead } from '../../app/api.ts'
import { Count, Money } from '../../ui/text/values.tsx'
import { estimateOf, type RunDraft } from './run-draft.ts'

/** The estimated cost of a run, based on past costs of the prompt. */
export function RunEstimateView({ draft, rows }: { readonly draft: RunDraft; readonly rows: number }) {
  const { promptSlug, kind, evaluatorSlugs } = draft
  const usage = useRead(
    'metrics.query',
    {
      measures: 'logs,cost',
      dimensions: 'promptVersion',
      filters: JSON.stringify({ promptSlug: promptSlug ?? '' }),
      from: '1970-01-01T00:00:00Z',
    },
    { enabled: kind === 'prompt' && promptSlug !== undefined },
  ).data?.rows
  const evaluators = useRead('evaluators.list', {}).data?.evaluators ?? []
  const modelJudges = evaluators.filter(
    (evaluator) => evaluator.kind === 'llm' && evaluatorSlugs.includes(evaluator.slug),
  ).length
  const { cases, judgements, costUsd, basis } = estimateOf(draft, rows, modelJudges, usage ?? [])
  return (
    <section aria-label="Estimate" className="flex flex-col gap-2">
      <h2 className="text-sm font-semibold">Estimate</h2>
      <dl className="text-sm">
        <Line label="Calls">
          <Count value={cases} />
        </Line>
        <Line label="LLM evaluations">
          <Count value={judgements} />
        </Line>
        <Line label="Cost of calls">
          <Money value={costUsd} isEstimate={costUsd !== undefined} />
        </Line>
      </dl>
      <p className="text-xs text-ink-3">
        {basis === 'version'
          ? 'Based on past calls of this version.'
          : basis === 'prompt'
            ? 'Based on past calls of other versions of this prompt.'
            : kind === 'endpoint'
              ? 'The cost of an endpoint is unknown.'
              : promptSlug === undefined
                ? 'Choose a prompt to estimate the cost.'
                : 'This prompt has no past calls to estimate from.'}
        {judgements > 0 && ' LLM evaluations cost extra.'}
      </p>
    </section>
  )
}

const Line = ({ label, children }: { readonly label: string; readonly children: React.ReactNode }) => (
  <div className="flex min-h-7 items-center gap-3 border-b border-line last:border-0">
    <dt className="text-ink-2">{label}</dt>
    <dd className="ml-auto">{children}</dd>
  </div>
)
