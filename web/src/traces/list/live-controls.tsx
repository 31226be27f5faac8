import { ArrowUp } from 'lucide-react'
import { Switch } from '../../ui/form/checkbox.tsx'
import type { NewTraces } from './use-new-traces.ts'

interface NewPillProps {
  readonly newTraces: NewTraces
  readonly onShow: () => void
}

/** Shows the number of new traces; the rows stay in place until it is pressed. */
export function NewPill({ newTraces: { count, isMore }, onShow }: NewPillProps) {
  return (
    <div role="status" className="pointer-events-none absolute inset-x-0 top-10 z-2 flex justify-center">
      {count > 0 && (
        <button
          type="button"
          onClick={onShow}
          className="pointer-events-auto flex h-7 items-center gap-1.5 rounded-full border border-accent bg-accent px-3 text-xs font-medium text-on-accent hover:bg-accent-hover"
        >
          <ArrowUp aria-hidden size={12} />
          {count}
          {isMore && '+'} new {count === 1 && !isMore ? 'trace' : 'traces'}
        </button>
      )}
    </div>
  )
}

interface LiveSwitchProps {
  readonly isLive: boolean
  readonly onChange: (isLive: boolean) => void
  /** A past range has no live updates. */
  readonly disabled: boolean
}

export const LiveSwitch = ({ isLive, onChange, disabled }: LiveSwitchProps) => (
  <Switch label="Live" isChecked={isLive && !disabled} disabled={disabled} onChange={onChange} />
)
