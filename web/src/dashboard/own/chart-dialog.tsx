/** Adds or changes a chart of a dashboard: its measure, grouping, filter and type. */
import type { ChartType, DashboardChart, Measure } from '@plumbline/sdk'
import { useState } from 'react'
import { FilterBar } from '../../traces/filter/filter-bar.tsx'
import { filterInput } from '../../traces/filter/filter-input.ts'
import { clausesOfInput } from '../../traces/filter/filter-of-input.ts'
import { isClause, readFilter, readParts, writeFilter } from '../../traces/filter/filter-text.ts'
import { Button } from '../../ui/button.tsx'
import { sentenceOf } from '../../ui/error-state.tsx'
import { LabelledCheckbox } from '../../ui/form/checkbox.tsx'
import { Combobox } from '../../ui/form/combobox.tsx'
import { Field, Group, Input } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { useUnsavedChanges } from '../../ui/form/unsaved-changes.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { dimensionChoices } from './dimensions.ts'
import { lookOf, measureChoices } from './measures.ts'

interface ChartDialogProps {
  /** The chart to change, `new`, or undefined while closed. */
  readonly subject: DashboardChart | 'new' | undefined
  readonly scope: { readonly from: string; readonly to: string }
  readonly onClose: () => void
  /** Rejects with the service's error. */
  readonly onSave: (chart: DashboardChart) => Promise<void>
}

export function ChartDialog({ subject, ...props }: ChartDialogProps) {
  return (
    <Dialog
      isOpen={subject !== undefined}
      onClose={props.onClose}
      title={subject === 'new' ? 'Add chart' : 'Change chart'}
    >
      {subject !== undefined && <ChartForm chart={subject === 'new' ? newChart : subject} {...props} />}
    </Dialog>
  )
}

const newChart: DashboardChart = {
  title: '',
  measure: 'traces',
  chart: 'bars',
  dimension: null,
  filters: {},
  width: 1,
  comparesWithPrevious: false,
}

const undivided = 'all'

const chartChoices: readonly { readonly value: ChartType; readonly label: string }[] = [
  { value: 'lines', label: 'Lines over time' },
  { value: 'bars', label: 'Bars over time' },
  { value: 'total', label: 'One number' },
  { value: 'ranking', label: 'Ranking of groups' },
]
const widthChoices = [
  { value: '1', label: 'A third' },
  { value: '2', label: 'Two thirds' },
  { value: '3', label: 'Full row' },
] as const

type ChartFormProps = Omit<ChartDialogProps, 'subject'> & { readonly chart: DashboardChart }

function ChartForm({ chart, scope, onClose, onSave }: ChartFormProps) {
  const [draft, setDraft] = useState(chart)
  const initialText = writeFilter(clausesOfInput(chart.filters))
  const [text, setText] = useState(initialText)
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  useUnsavedChanges(text !== initialText || JSON.stringify(draft) !== JSON.stringify(chart))
  const change = (patch: Partial<DashboardChart>): void => setDraft((previous) => ({ ...previous, ...patch }))
  const suggestedTitle = titleOf(draft)
  const save = async (): Promise<void> => {
    const nextProblem = problemOf(draft, text)
    setProblem(nextProblem)
    if (nextProblem !== undefined) return
    const { q: _words, ...filters } = filterInput(readFilter(text))
    setBusy(true)
    try {
      await onSave({
        ...draft,
        title: draft.title.trim() || suggestedTitle,
        dimension: draft.chart === 'total' ? null : draft.dimension,
        filters,
      })
      onClose()
    } catch (error) {
      setProblem(sentenceOf(error).description)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Field label="Measure">
        <Combobox<Measure>
          choices={measureChoices}
          value={draft.measure}
          onChange={(measure) => measure !== undefined && change({ measure })}
        />
      </Field>
      <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
        <Field label="Chart">
          <Select choices={chartChoices} value={draft.chart} onChange={(type) => change({ chart: type })} />
        </Field>
        <Field label="Width">
          <Select
            choices={widthChoices}
            value={String(draft.width) as '1'}
            onChange={(width) => change({ width: Number(width) })}
          />
        </Field>
      </div>
      {draft.chart !== 'total' && (
        <Field label="Group by">
          <Combobox
            choices={[{ value: undivided, label: 'No grouping' }, ...dimensionChoices]}
            value={draft.dimension ?? undivided}
            onChange={(value) =>
              change({ dimension: value === undefined || value === undivided ? null : value })
            }
          />
        </Field>
      )}
      <Group label="Filter" hint="In addition to the dashboard’s filter.">
        <FilterBar text={text} onChange={setText} scope={scope} />
      </Group>
      {(draft.dimension === null || draft.chart === 'ranking') && (
        <LabelledCheckbox
          label="Compare with the previous period"
          isChecked={draft.comparesWithPrevious}
          onChange={(comparesWithPrevious) => change({ comparesWithPrevious })}
        />
      )}
      <Field label="Title" hint="Leave empty to name it after its measure.">
        <Input
          value={draft.title}
          placeholder={suggestedTitle}
          maxLength={200}
          onChange={({ target }) => change({ title: target.value })}
        />
      </Field>
      {problem !== undefined && (
        <p role="alert" className="text-sm text-bad">
          {problem}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" isBusy={isBusy}>
          Save chart
        </Button>
      </div>
    </form>
  )
}

function problemOf({ chart, dimension }: DashboardChart, text: string): string | undefined {
  const wrong = readParts(text).find(({ result }) => !isClause(result))
  if (wrong !== undefined) return `The filter cannot parse "${wrong.text}".`
  if (readFilter(text).some(({ type }) => type === 'words'))
    return 'Charts cannot filter by text: name a field, such as feature:chat.'
  if (chart === 'ranking' && dimension === null) return 'A ranking needs a field to group by.'
  return undefined
}

function titleOf({ measure, dimension, chart }: DashboardChart): string {
  const { label } = lookOf(measure)
  if (dimension === null || chart === 'total') return label
  const dimensionLabel = dimensionChoices.find(({ value }) => value === dimension)?.label ?? dimension
  return `${label} by ${dimensionLabel.toLowerCase()}`
}
