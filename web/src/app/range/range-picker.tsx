/** Chooses the selected time range: presets, or two instants. */
import { Calendar, ChevronDown } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Field, Input } from '../../ui/form/field.tsx'
import { Popover } from '../../ui/overlay/popover.tsx'
import { presets, type Range, rangeBetween, wholeDays } from './range.ts'
import { useRange } from './use-range.ts'

export function RangePicker() {
  const { range, setRange } = useRange()
  const [isOpen, setOpen] = useState(false)
  const choose: typeof setRange = (next) => {
    setRange(next)
    setOpen(false)
  }
  return (
    <Popover
      label="Time range"
      isOpen={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button
          icon={<Calendar aria-hidden size={14} className="text-ink-3" />}
          aria-label={`Time range: ${range.label}`}
        >
          {range.label}
          <ChevronDown aria-hidden size={14} className="text-ink-3" />
        </Button>
      }
    >
      <div className="flex flex-wrap">
        <ul className="flex w-40 flex-col border-r border-line p-1">
          {presets.map((preset) => (
            <li key={preset.text}>
              <button
                type="button"
                aria-pressed={range.text === preset.text}
                onClick={() => choose(preset.text)}
                className={classNames(
                  'h-7 w-full rounded-sm px-2 text-left text-sm hover:bg-hover',
                  range.text === preset.text && 'bg-selected font-medium text-accent-ink',
                )}
              >
                {preset.label}
              </button>
            </li>
          ))}
          {wholeDays(new Date()).map(({ label, range: day }) => (
            <li key={label}>
              <button
                type="button"
                aria-pressed={range.text === rangeBetween(...day)}
                onClick={() => choose(day)}
                className={classNames(
                  'h-7 w-full rounded-sm px-2 text-left text-sm hover:bg-hover',
                  range.text === rangeBetween(...day) && 'bg-selected font-medium text-accent-ink',
                )}
              >
                {label}
              </button>
            </li>
          ))}
        </ul>
        <CustomRange key={range.text} range={range} onChoose={(from, to) => choose([from, to])} />
      </div>
    </Popover>
  )
}

interface CustomRangeProps {
  readonly range: Range
  readonly onChoose: (from: Date, to: Date) => void
}

function CustomRange({ range, onChoose }: CustomRangeProps) {
  const [from, setFrom] = useState(() => localMinute(range.from))
  const [to, setTo] = useState(() => localMinute(range.to ?? new Date()))
  const [problem, setProblem] = useState<string>()
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (new Date(from) < new Date(to)) onChoose(new Date(from), new Date(to))
    else setProblem('The end must be after the start.')
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3 p-3">
      <Field label="From">
        <Input type="datetime-local" value={from} onChange={(event) => setFrom(event.currentTarget.value)} />
      </Field>
      <Field label="To" problem={problem}>
        <Input type="datetime-local" value={to} onChange={(event) => setTo(event.currentTarget.value)} />
      </Field>
      <Button type="submit">Apply</Button>
    </form>
  )
}

/** As the field for local times has it. */
const localMinute = (time: Date): string =>
  new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
