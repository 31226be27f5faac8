/** A select with its list; loaded late. */
import { Select as Base } from '@base-ui/react/select'
import { Check, ChevronDown } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { classNames } from '../class-names.ts'
import { useFieldControl } from './field.tsx'
import { type SelectProps, selectClass } from './select.tsx'

interface SelectListProps extends SelectProps<string> {
  /** Its button was pressed before the list had loaded. */
  readonly isOpenAtFirst: boolean
  /** Its button had the focus then. */
  readonly takesFocus: boolean
}

export function SelectList({
  choices,
  value,
  onChange,
  label,
  placeholder,
  disabled,
  className,
  icon,
  onEnd,
  isOpenAtFirst,
  takesFocus,
}: SelectListProps) {
  const control = useFieldControl(label)
  const trigger = useRef<HTMLButtonElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: Only the button that it replaces passes the focus on.
  useEffect(() => {
    if (takesFocus && !isOpenAtFirst) trigger.current?.focus()
  }, [])
  return (
    <Base.Root
      items={choices.map(({ value, label }) => ({ value, label }))}
      value={value ?? null}
      onValueChange={(next) => next !== null && onChange(next)}
      disabled={disabled}
      defaultOpen={isOpenAtFirst}
    >
      <Base.Trigger
        {...control}
        ref={trigger}
        aria-label={label}
        className={classNames(selectClass, 'data-disabled:opacity-50', className)}
      >
        {icon}
        <Base.Value
          placeholder={placeholder}
          className="min-w-0 flex-1 truncate data-placeholder:text-ink-3"
        />
        <ChevronDown aria-hidden size={14} className="shrink-0 text-ink-3" />
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} alignItemWithTrigger={false} className="z-40">
          <Base.Popup
            onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
              if (scrollHeight - scrollTop - clientHeight < clientHeight) onEnd?.()
            }}
            className="floating max-h-(--available-height) min-w-(--anchor-width) overflow-y-auto p-1"
          >
            {choices.map((choice) => (
              <Base.Item
                key={choice.value}
                value={choice.value}
                className="grid min-h-7 cursor-default grid-cols-[16px_1fr] items-center gap-2 rounded-sm px-2 py-1 text-sm outline-none data-highlighted:bg-hover"
              >
                <Base.ItemIndicator className="col-start-1">
                  <Check aria-hidden size={14} />
                </Base.ItemIndicator>
                <Base.ItemText className="col-start-2">{choice.label}</Base.ItemText>
                {choice.hint !== undefined && (
                  <span className="col-start-2 text-xs text-ink-3">{choice.hint}</span>
                )}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
