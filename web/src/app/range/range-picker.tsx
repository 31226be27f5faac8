/** Chooses the selected time range: presets, or two instants. */
import { Calendar, ChevronDown } from 'lucide-react'
import { Suspense, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { late } from '../../ui/late.ts'
import { Popover } from '../../ui/overlay/popover.tsx'
import { useUtc } from '../../ui/text/values.tsx'
import { rangeLabel, shortRangeLabel } from './range.ts'
import { useRange } from './use-range.ts'

const RangeChoices = late(async () => (await import('./range-choices.tsx')).RangeChoices)

export function RangePicker() {
  const { range, setRange } = useRange()
  const [isUtc] = useUtc()
  const [isOpen, setOpen] = useState(false)
  const label = rangeLabel(range, new Date(), isUtc)
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
          aria-label={`Time range: ${label}`}
        >
          <span className="max-md:hidden">{label}</span>
          <span className="md:hidden">{shortRangeLabel(range, new Date(), isUtc)}</span>
          <ChevronDown aria-hidden size={14} className="text-ink-3" />
        </Button>
      }
    >
      <Suspense>
        <RangeChoices range={range} isUtc={isUtc} onChoose={choose} onShift={setRange} />
      </Suspense>
    </Popover>
  )
}
