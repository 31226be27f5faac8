/** The switch and the rules for judging live traffic. */
import { lazy, Suspense } from 'react'
import { SwitchField } from '../../ui/form/fields.tsx'
import type { Form } from '../../ui/form/use-form.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import type { EvaluatorValues } from './evaluator-values.ts'

// Loaded on demand: only a few evaluators judge live traffic and need the filter with its completion.
const LiveRuleFields = lazy(async () => ({
  default: (await import('./live-rule-fields.tsx')).LiveRuleFields,
}))

export interface LiveFieldsProps {
  readonly form: Form<EvaluatorValues>
  readonly values: EvaluatorValues
  readonly isNew: boolean
}

export function LiveFields({ form, values, isNew }: LiveFieldsProps) {
  return (
    <fieldset className="flex flex-col gap-3 rounded border border-line p-4">
      <legend className="px-1 text-sm font-medium">Live traffic</legend>
      <SwitchField form={form} name="live.isOn" label="Judge new traces that match a filter" />
      {values.live.isOn && (
        <Suspense fallback={<SkeletonRows />}>
          <LiveRuleFields form={form} values={values} isNew={isNew} />
        </Suspense>
      )}
    </fieldset>
  )
}
