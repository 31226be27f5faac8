/** The live traffic that an evaluator judges, with an estimate from the last 24 hours; loaded once it judges any. */
import { type Input, type Output, useRead } from '../../app/api.ts'
import { rangeInput, useRange } from '../../app/range/use-range.ts'
import { FilterBar } from '../../traces/filter/filter-bar.tsx'
import { sentenceOf } from '../../ui/error-state.tsx'
import { CustomField, NumberField, SelectField } from '../../ui/form/fields.tsx'
import { Count, Money } from '../../ui/text/values.tsx'
import { useSettled } from '../../ui/use-settled.ts'
import { checkConfig, type EvaluatorValues, evaluatorInput } from './evaluator-values.ts'
import type { LiveFieldsProps } from './live-fields.tsx'
import { filterOfText, textOfFilter } from './live-filter.ts'

const subjects = [
  { value: 'trace', label: 'The whole trace' },
  { value: 'session', label: 'The session, once it is quiet' },
  { value: 'generation', label: 'Each generation' },
  { value: 'tool', label: 'Each tool call' },
  { value: 'retrieval', label: 'Each retrieval' },
  { value: 'function', label: 'Each function' },
  { value: 'span', label: 'Each span' },
  { value: 'event', label: 'Each event' },
] as const

export function LiveRuleFields({ form, values, isNew }: LiveFieldsProps) {
  const { range } = useRange()
  return (
    <>
      <CustomField
        form={form}
        name="live.filter"
        label="Traces that match"
        hint="Leave empty for all traces. Example: feature:chat environment:production."
      >
        {({ value, onChange }) => (
          <FilterBar
            text={textOfFilter(value)}
            onChange={(text) => onChange(filterOfText(text))}
            scope={rangeInput(range)}
          />
        )}
      </CustomField>
      <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
        <SelectField form={form} name="live.subject" label="What it judges" choices={subjects} />
        <NumberField
          form={form}
          name="live.sampleRate"
          label={
            values.live.subject === 'session'
              ? 'Sampling rate (% of sessions)'
              : 'Sampling rate (% of matching traces)'
          }
          scale={100}
        />
        {values.live.subject === 'session' && (
          <NumberField
            form={form}
            name="live.quietMinutes"
            label="Quiet after (minutes)"
            hint="Minutes without a trace after which the session is judged."
          />
        )}
      </div>
      <LiveEstimate values={values} isNew={isNew} />
    </>
  )
}

/** A placeholder input while the query is disabled. */
const emptyInput: Input<'evaluators.estimate'> = {
  kind: 'contains',
  config: {},
  liveRule: { filters: {}, subject: 'trace', sampleRate: 0 },
}

type LiveEstimateProps = Pick<LiveFieldsProps, 'values' | 'isNew'>

/** Waits for a complete configuration. */
function LiveEstimate({ values, isNew }: LiveEstimateProps) {
  const { kind, config, liveRule, slug } = evaluatorInput(values)
  const isComplete = liveRule !== null && checkConfig(values).length === 0
  const input = useSettled(isComplete ? { kind, config, liveRule, ...(isNew ? {} : { slug }) } : undefined)
  const answer = useRead('evaluators.estimate', input ?? emptyInput, {
    enabled: input !== undefined,
    isHeld: true,
  })
  return (
    <p role="status" aria-label="Estimate" className="rounded bg-sunken px-3 py-2 text-sm text-ink-2">
      {input === undefined ? (
        'Complete the evaluator to preview it on the last 24 hours.'
      ) : answer.isError ? (
        sentenceOf(answer.error).description
      ) : answer.data === undefined ? (
        'Counting the last 24 hours…'
      ) : (
        <EstimateWords estimate={answer.data} subject={values.live.subject} />
      )}
    </p>
  )
}

interface EstimateWordsProps {
  readonly estimate: Output<'evaluators.estimate'>
  readonly subject: EvaluatorValues['live']['subject']
}

function EstimateWords({ estimate, subject }: EstimateWordsProps) {
  const { matching, judged, cost, basis } = estimate
  return (
    <>
      In the last 24 hours it would have judged{' '}
      <strong className="font-medium text-ink">
        <Count value={judged} /> {nameOf(subject, judged)}
      </strong>{' '}
      of <Count value={matching} /> matching {matching === 1 ? 'trace' : 'traces'}
      {basis === 'free' ? (
        ', without model calls.'
      ) : cost === null ? (
        '. The cost of one evaluation is not known yet.'
      ) : (
        <>
          , for about{' '}
          <strong className="font-medium text-ink">
            <Money value={cost} />
          </strong>{' '}
          {basis === 'scores'
            ? '(from its latest scores).'
            : '(estimated from the prompts for those traces).'}
        </>
      )}
    </>
  )
}

function nameOf(subject: EstimateWordsProps['subject'], count: number): string {
  if (subject === 'trace' || subject === 'session') return count === 1 ? subject : `${subject}s`
  return `logs of type ${subject}`
}
