/** The measure, the window and the condition of an alert. */
import type { Alert } from '@plumbline/sdk'
import { useWatch } from 'react-hook-form'
import { useRead } from '../app/api.ts'
import { CustomField, NumberField, SelectField, TextField } from '../ui/form/fields.tsx'
import { Select } from '../ui/form/select.tsx'
import type { Form } from '../ui/form/use-form.ts'
import { type AlertValues, changesWithMeasure } from './alert-values.ts'
import { formatMinutes, measures, scaleOf } from './measures.ts'

const measureChoices = Object.entries(measures).map(([value, { label }]) => ({
  // Safe: the keys are the measures.
  value: value as Alert['measure'],
  label,
}))
const windows = [1, 5, 10, 15, 30, 60, 180, 360, 720, 1440, 4320, 10_080]

export function RuleFields({ form }: { readonly form: Form<AlertValues> }) {
  const { control, setValue } = form
  const measure = useWatch({ control, name: 'measure' })
  const windowMinutes = useWatch({ control, name: 'windowMinutes' })
  const options = windows.includes(windowMinutes) ? windows : [windowMinutes, ...windows]
  const changeMeasure = (next: AlertValues['measure']): void => {
    // Safe: these are fields of the form with their values.
    for (const [name, value] of Object.entries(changesWithMeasure(measure, next)))
      setValue(name as 'threshold', value as number | undefined, { shouldDirty: true })
  }
  return (
    <div className="grid grid-cols-2 gap-3">
      <CustomField form={form} name="measure" label="Measure">
        {({ value, onChange }) => (
          <Select
            choices={measureChoices}
            value={value}
            onChange={(next) => {
              changeMeasure(next)
              onChange(next)
            }}
          />
        )}
      </CustomField>
      <CustomField form={form} name="windowMinutes" label="Over the last">
        {({ value, onChange }) => (
          <Select
            choices={options.map((minutes) => ({ value: String(minutes), label: formatMinutes(minutes) }))}
            value={String(value)}
            onChange={(minutes) => onChange(Number(minutes))}
          />
        )}
      </CustomField>
      {measure === 'score' && (
        <div className="col-span-2">
          <ScoreField form={form} />
        </div>
      )}
      <SelectField form={form} name="condition" label="Fires when the value is" choices={conditions} />
      <NumberField
        key={measure}
        form={form}
        name="threshold"
        label="Threshold"
        hint={measures[measure].unit}
        scale={scaleOf(measure)}
      />
    </div>
  )
}

const conditions = [
  { value: 'above', label: 'above' },
  { value: 'below', label: 'below' },
] as const

function ScoreField({ form }: { readonly form: Form<AlertValues> }) {
  const names = useRead('traces.facets', { fields: 'score', limit: 100 }).data?.facets[0]?.values ?? []
  return (
    <>
      <TextField
        form={form}
        name="scoreName"
        label="Score"
        hint="Name of the score. An evaluator’s scores are named after its slug by default."
        list="score-names"
        isRequired
      />
      <datalist id="score-names">
        {names.map(({ value }) => (
          <option key={value} value={value} />
        ))}
      </datalist>
    </>
  )
}
