/** The settings against flapping: hysteresis, delays, minimum samples, missing data, late data. */
import type { Alert } from '@plumbline/sdk'
import { useWatch } from 'react-hook-form'
import { NumberField, SelectField } from '../ui/form/fields.tsx'
import { writeNumber } from '../ui/form/numbers.ts'
import type { Form } from '../ui/form/use-form.ts'
import type { AlertValues } from './alert-values.ts'
import { measures, scaleOf } from './measures.ts'

const noDataChoices: readonly { readonly value: Alert['noData']; readonly label: string }[] = [
  { value: 'ok', label: 'Good' },
  { value: 'keep', label: 'No change' },
  { value: 'fire', label: 'Bad' },
]

export function SteadinessFields({ form }: { readonly form: Form<AlertValues> }) {
  const { control } = form
  const measure = useWatch({ control, name: 'measure' })
  const threshold = useWatch({ control, name: 'threshold' })
  const { unit, samples } = measures[measure]
  return (
    <div className="grid grid-cols-2 gap-3">
      <NumberField
        key={measure}
        form={form}
        name="recoveryThreshold"
        label="Recovery threshold"
        hint={`${unit}. Leave empty to recover at the threshold. Between the two, the state does not change.`}
        scale={scaleOf(measure)}
        placeholder={Number.isNaN(threshold) ? '' : writeNumber(threshold, scaleOf(measure))}
      />
      <NumberField form={form} name="forMinutes" label="Fire after" hint="minutes" inputMode="numeric" />
      <NumberField
        form={form}
        name="keepFiringForMinutes"
        label="Resolve after"
        hint="minutes"
        inputMode="numeric"
      />
      <NumberField
        form={form}
        name="delaySeconds"
        label="Evaluation delay"
        hint="seconds, to allow for late data"
        inputMode="numeric"
      />
      {samples !== undefined && (
        <>
          <NumberField
            form={form}
            name="minimumSamples"
            label="Minimum samples"
            hint={`${samples}. Fewer count as no data.`}
            inputMode="numeric"
          />
          <SelectField form={form} name="noData" label="Treat no data as" choices={noDataChoices} />
        </>
      )}
    </div>
  )
}
