/** The measure, the window and the condition of an alert. */
import type { Alert } from '@plumbline/sdk'
import { useRead } from '../app/api.ts'
import { Field, Input } from '../ui/field.tsx'
import { Select } from '../ui/select.tsx'
import { type Draft, type Problems, withMeasure } from './draft.ts'
import { formatMinutes, measures } from './measures.ts'

interface RuleFieldsProps {
  readonly draft: Draft
  readonly problems: Problems
  readonly onChange: (draft: Draft) => void
}

const measureChoices = Object.entries(measures).map(([value, { label }]) => ({
  // Safe: the keys are the measures.
  value: value as Alert['measure'],
  label,
}))
const windows = [1, 5, 10, 15, 30, 60, 180, 360, 720, 1440, 4320, 10_080]

export function RuleFields({ draft, problems, onChange }: RuleFieldsProps) {
  const change = (changed: Partial<Draft>): void => onChange({ ...draft, ...changed })
  const { unit } = measures[draft.measure]
  const known = windows.includes(draft.windowMinutes) ? windows : [draft.windowMinutes, ...windows]
  return (
    <div className="grid grid-cols-2 gap-3">
      <Field label="Measure">
        <Select
          choices={measureChoices}
          value={draft.measure}
          onChange={(measure) => onChange(withMeasure(draft, measure))}
        />
      </Field>
      <Field label="Over the last">
        <Select
          choices={known.map((minutes) => ({ value: String(minutes), label: formatMinutes(minutes) }))}
          value={String(draft.windowMinutes)}
          onChange={(minutes) => change({ windowMinutes: Number(minutes) })}
        />
      </Field>
      {draft.measure === 'score' && (
        <div className="col-span-2">
          <ScoreFields draft={draft} problem={problems.scoreName} onChange={change} />
        </div>
      )}
      <Field label="Fires when the value is">
        <Select
          choices={[
            { value: 'above', label: 'above' },
            { value: 'below', label: 'below' },
          ]}
          value={draft.condition}
          onChange={(condition) => change({ condition })}
        />
      </Field>
      <Field label="Threshold" hint={unit} problem={problems.threshold}>
        <Input
          inputMode="decimal"
          value={draft.threshold}
          onChange={(event) => change({ threshold: event.currentTarget.value })}
        />
      </Field>
    </div>
  )
}

interface ScoreFieldsProps {
  readonly draft: Draft
  readonly problem: string | undefined
  readonly onChange: (changed: Partial<Draft>) => void
}

function ScoreFields({ draft, problem, onChange }: ScoreFieldsProps) {
  const names = useRead('traces.facets', { fields: 'score', limit: 100 }).data?.facets[0]?.values ?? []
  return (
    <Field
      label="Score"
      hint="Name of the score. An evaluator’s scores are named after its slug by default."
      problem={problem}
    >
      <Input
        list="score-names"
        value={draft.scoreName}
        onChange={(event) => onChange({ scoreName: event.currentTarget.value })}
      />
      <datalist id="score-names">
        {names.map(({ value }) => (
          <option key={value} value={value} />
        ))}
      </datalist>
    </Field>
  )
}
