/** The range choices: presets, whole days and typed ranges; loaded on demand. */
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Field, Input } from '../../ui/form/field.tsx'
import { deviceTimeZone } from '../../ui/text/time-zone.ts'
import {
  minuteRule,
  neighbour,
  presets,
  type Range,
  rangeBetween,
  readChangedMinute,
  readLast,
  wholeDays,
  writeMinute,
} from './range.ts'

interface RangeChoicesProps {
  readonly range: Range
  /** The time zone of the screen; by default this device's. */
  readonly isUtc: boolean
  readonly onChoose: (range: string | readonly [Date, Date]) => void
  /** Moves the range, and leaves the choices open. */
  readonly onShift: (range: readonly [Date, Date]) => void
}

export function RangeChoices({ range, isUtc, onChoose, onShift }: RangeChoicesProps) {
  return (
    <div className="flex flex-wrap">
      <ul className="flex w-40 flex-col max-sm:w-36 border-r border-line p-1">
        {presets.map((preset) => (
          <li key={preset.text}>
            <button
              type="button"
              aria-pressed={range.text === preset.text}
              onClick={() => onChoose(preset.text)}
              className={classNames(
                'h-7 w-full rounded-sm px-2 text-left text-sm hover:bg-hover',
                range.text === preset.text && 'bg-selected font-medium text-accent-ink',
              )}
            >
              {preset.label}
            </button>
          </li>
        ))}
        {wholeDays(new Date(), isUtc).map(({ label, range: day }) => (
          <li key={label}>
            <button
              type="button"
              aria-pressed={range.text === rangeBetween(...day)}
              onClick={() => onChoose(day)}
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
      <div className="flex w-60 flex-col gap-3 p-3 max-sm:w-52">
        <LastRangeForm onChoose={onChoose} />
        <CustomRange
          key={`${range.text} ${isUtc}`}
          range={range}
          isUtc={isUtc}
          onChoose={(start, end) => onChoose([start, end])}
        />
        <ShiftButtons range={range} isUtc={isUtc} onShift={onShift} />
        <p className="text-xs text-ink-3">Times are in {zoneLabel(isUtc)}</p>
      </div>
    </div>
  )
}

/** `Europe/Berlin`, without the underscores of `America/New_York`. */
const zoneLabel = (isUtc: boolean): string => (isUtc ? 'UTC' : deviceTimeZone().replaceAll('_', ' '))

/** A typed range that ends now. */
function LastRangeForm({ onChoose }: { readonly onChoose: (text: string) => void }) {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const last = readLast(text)
    if (last !== undefined) onChoose(last.text)
    else setProblem('Type a number and a unit, such as 30m, 6h or 2w.')
  }
  return (
    <form onSubmit={submit}>
      <Field label="Last" problem={problem}>
        <Input
          placeholder="30m, 6h, 3d, 2w"
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setProblem(undefined)
          }}
        />
      </Field>
    </form>
  )
}

interface ShiftButtonsProps {
  readonly range: Range
  readonly isUtc: boolean
  readonly onShift: (range: readonly [Date, Date]) => void
}

/** Moves by the length of the range. */
function ShiftButtons({ range, isUtc, onShift }: ShiftButtonsProps) {
  const [before, after] = [neighbour(range, -1, new Date(), isUtc), neighbour(range, 1, new Date(), isUtc)]
  return (
    <div className="flex items-center justify-between border-t border-line pt-3 text-sm text-ink-2">
      <span>Shift the range</span>
      <span className="flex gap-1">
        <IconButton size="small" label="Earlier" onClick={() => before && onShift(before)}>
          <ChevronLeft aria-hidden size={16} />
        </IconButton>
        <IconButton
          size="small"
          label="Later"
          disabled={after === undefined}
          onClick={() => after && onShift(after)}
        >
          <ChevronRight aria-hidden size={16} />
        </IconButton>
      </span>
    </div>
  )
}

interface CustomRangeProps {
  readonly range: Range
  /** The time zone of its times; by default this device's. */
  readonly isUtc: boolean
  readonly onChoose: (start: Date, end: Date) => void
}

/** Text fields, because the browser's date fields follow another country's date format. */
function CustomRange({ range, isUtc, onChoose }: CustomRangeProps) {
  const [initial] = useState(() => ({ from: range.from, to: range.to ?? new Date() }))
  const [from, setFrom] = useState(() => writeMinute(initial.from, isUtc))
  const [to, setTo] = useState(() => writeMinute(initial.to, isUtc))
  const [problems, setProblems] = useState<{ readonly from?: string; readonly to?: string }>({})
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const start = readChangedMinute(from, initial.from, isUtc)
    const end = readChangedMinute(to, initial.to, isUtc)
    if (start === undefined) setProblems({ from: minuteRule })
    else if (end === undefined) setProblems({ to: minuteRule })
    else if (start >= end) setProblems({ to: 'The end must be after the start.' })
    else onChoose(start, end)
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <Field label={isUtc ? 'From (UTC)' : 'From'} problem={problems.from}>
        <Input value={from} onChange={(event) => setFrom(event.currentTarget.value)} className="numbers" />
      </Field>
      <Field label={isUtc ? 'To (UTC)' : 'To'} problem={problems.to}>
        <Input value={to} onChange={(event) => setTo(event.currentTarget.value)} className="numbers" />
      </Field>
      <Button type="submit">Apply</Button>
    </form>
  )
}
