/** One of many things, found by typing. */
import { Combobox as Base } from '@base-ui/react/combobox'
import { Check, ChevronDown } from 'lucide-react'
import { classNames } from '../class-names.ts'
import { useFieldControl } from './field.tsx'
import type { Choice } from './select.tsx'

interface ComboboxProps<Value extends string> {
  readonly choices: readonly Choice<Value>[]
  readonly value: Value | undefined
  readonly onChange: (value: Value | undefined) => void
  readonly label?: string
  readonly placeholder?: string
  readonly className?: string
}

export function Combobox<Value extends string>({
  choices,
  value,
  onChange,
  label,
  placeholder = 'Choose…',
  className,
}: ComboboxProps<Value>) {
  const control = useFieldControl(label)
  const chosen = choices.find((choice) => choice.value === value) ?? null
  return (
    <Base.Root
      items={choices}
      value={chosen}
      onValueChange={(choice) => onChange(choice?.value)}
      itemToStringLabel={(choice) => choice.label}
      isItemEqualToValue={(a, b) => a.value === b.value}
      autoHighlight
    >
      <Base.InputGroup className={classNames('relative', className)}>
        <Base.Input
          {...control}
          aria-label={label}
          placeholder={placeholder}
          className="control w-full pr-8 pl-2"
        />
        <Base.Trigger
          aria-label="Show all"
          className="absolute top-0 right-0 grid h-full w-8 place-items-center text-ink-3"
        >
          <ChevronDown aria-hidden size={14} />
        </Base.Trigger>
      </Base.InputGroup>
      <Base.Portal>
        <Base.Positioner sideOffset={4} className="z-40">
          <Base.Popup className="floating max-h-80 w-(--anchor-width) min-w-48 overflow-y-auto">
            <Base.Empty className="text-sm text-ink-3 not-empty:p-3">No matches.</Base.Empty>
            <Base.List className="p-1 empty:p-0">
              {(choice: Choice<Value>) => (
                <Base.Item
                  key={choice.value}
                  value={choice}
                  className="grid min-h-7 cursor-default grid-cols-[16px_1fr] items-center gap-2 rounded-sm px-2 py-1 text-sm outline-none data-highlighted:bg-hover"
                >
                  <Base.ItemIndicator className="col-start-1">
                    <Check aria-hidden size={14} />
                  </Base.ItemIndicator>
                  <span className="col-start-2 truncate">{choice.label}</span>
                  {choice.hint !== undefined && (
                    <span className="col-start-2 text-xs text-ink-3">{choice.hint}</span>
                  )}
                </Base.Item>
              )}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
