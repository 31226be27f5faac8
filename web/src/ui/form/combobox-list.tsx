/** A combobox with its list; loaded late. */
import { Combobox as Base } from '@base-ui/react/combobox'
import { Check, ChevronDown } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import { classNames } from '../class-names.ts'
import { type ComboboxProps, comboboxClass } from './combobox.tsx'
import { useFieldControl } from './field.tsx'
import type { Choice } from './select.tsx'

interface ComboboxListProps extends ComboboxProps<string> {
  /** The input that it replaces was pressed. */
  readonly isOpenAtFirst: boolean
  /** The input that it replaces had the focus. */
  readonly takesFocus: boolean
  /** The text typed into the input that it replaces. */
  readonly typedText: string | undefined
}

export function ComboboxList({
  choices,
  value,
  onChange,
  label,
  placeholder,
  className,
  isOpenAtFirst,
  takesFocus,
  typedText,
}: ComboboxListProps) {
  const control = useFieldControl(label)
  const input = useRef<HTMLInputElement>(null)
  const { contains } = Base.useFilter()
  const selection = choices.find((choice) => choice.value === value) ?? null
  // biome-ignore lint/correctness/useExhaustiveDependencies: Only the input that it replaces passes the focus on.
  useLayoutEffect(() => {
    // Synchronously: the next key must already reach this input.
    if (input.current === null) return
    if (takesFocus) {
      input.current.focus()
      // As after the Tab key: typing replaces the label of the selected value.
      input.current.select()
    }
    if (typedText !== undefined) typeInto(input.current, typedText)
  }, [])
  return (
    <Base.Root
      items={choices}
      value={selection}
      onValueChange={(choice) => onChange(choice?.value)}
      itemToStringLabel={(choice) => choice.label}
      filter={(choice, text) => choice.isAlwaysListed === true || contains(choice.label, text)}
      isItemEqualToValue={(a, b) => a.value === b.value}
      defaultOpen={isOpenAtFirst}
      autoHighlight
    >
      <Base.InputGroup className={classNames('relative', className)}>
        <Base.Input
          {...control}
          ref={input}
          aria-label={label}
          placeholder={placeholder}
          className={comboboxClass}
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
              {(choice: Choice) => (
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

/** Replaces the text of an input as if it had been typed. */
function typeInto(input: HTMLInputElement, text: string): void {
  // React ignores values written with its own setter.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
  input.setSelectionRange(text.length, text.length)
  input.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: text }))
}
