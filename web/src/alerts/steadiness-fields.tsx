/** What keeps an alert from coming and going: hysteresis, patience, few samples, no data, late records. */
import type { Alert } from '@plumbline/sdk'
import { Field, Input } from '../ui/field.tsx'
import { Select } from '../ui/select.tsx'
import type { Draft, Problems } from './draft.ts'
import { measures } from './measures.ts'

interface SteadinessFieldsProps {
  readonly draft: Draft
  readonly problems: Problems
  readonly onChange: (draft: Draft) => void
}

const noDataChoices: readonly { readonly value: Alert['noData']; readonly label: string }[] = [
  { value: 'ok', label: 'Good' },
  { value: 'keep', label: 'No change' },
  { value: 'fire', label: 'Bad' },
]

export function SteadinessFields({ draft, problems, onChange }: SteadinessFieldsProps) {
  const change = (changed: Partial<Draft>): void => onChange({ ...draft, ...changed })
  const { unit, samples } = measures[draft.measure]
  return (
    <div className="grid grid-cols-2 gap-3">
      <Field
        label="Recovery threshold"
        hint={`${unit}. Leave empty to recover at the threshold. Between the two, the state does not change.`}
        problem={problems.recovery}
      >
        <Input
          inputMode="decimal"
          placeholder={draft.threshold}
          value={draft.recovery}
          onChange={(event) => change({ recovery: event.currentTarget.value })}
        />
      </Field>
      <Field label="Fire after" hint="minutes" problem={problems.forMinutes}>
        <Input
          inputMode="numeric"
          value={draft.forMinutes}
          onChange={(event) => change({ forMinutes: event.currentTarget.value })}
        />
      </Field>
      <Field label="Resolve after" hint="minutes" problem={problems.keepFiringForMinutes}>
        <Input
          inputMode="numeric"
          value={draft.keepFiringForMinutes}
          onChange={(event) => change({ keepFiringForMinutes: event.currentTarget.value })}
        />
      </Field>
      <Field label="Evaluation delay" hint="seconds, to allow for late data" problem={problems.delaySeconds}>
        <Input
          inputMode="numeric"
          value={draft.delaySeconds}
          onChange={(event) => change({ delaySeconds: event.currentTarget.value })}
        />
      </Field>
      {samples !== undefined && (
        <>
          <Field
            label="Minimum samples"
            hint={`${samples}. Fewer count as no data.`}
            problem={problems.minimumSamples}
          >
            <Input
              inputMode="numeric"
              value={draft.minimumSamples}
              onChange={(event) => change({ minimumSamples: event.currentTarget.value })}
            />
          </Field>
          <Field label="Treat no data as">
            <Select choices={noDataChoices} value={draft.noData} onChange={(noData) => change({ noData })} />
          </Field>
        </>
      )}
    </div>
  )
}
