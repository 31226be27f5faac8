/** Selects one of a few choices from a list. For many, or for typing, use `Combobox`. */
import { ChevronDown } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { classNames } from '../class-names.ts'
import { late } from '../late.ts'
import { useFieldControl } from './field.tsx'

const SelectList = late(async () => (await import('./select-list.tsx')).SelectList)

export interface Choice<Value extends string = string> {
  readonly value: Value
  readonly label: string
  /** A second line in the list. */
  readonly hint?: string
  /** For a combobox: shown even if the label does not contain the typed text. */
  readonly isAlwaysListed?: boolean
}

export interface SelectProps<Value extends string> {
  readonly choices: readonly Choice<Value>[]
  readonly value: Value | undefined
  readonly onChange: (value: Value) => void
  /** Its name, if no `Field` provides one. */
  readonly label?: string
  readonly placeholder?: string
  readonly disabled?: boolean
  readonly className?: string
  readonly icon?: ReactNode
  /** Called near the end of the list: for choices that load page by page. */
  readonly onEnd?: (() => void) | undefined
}

export const selectClass =
  'control border-line-strong hover:bg-hover flex items-center gap-2 px-2 text-left disabled:opacity-50'

export function Select<Value extends string>(props: SelectProps<Value>) {
  const { choices, value, onChange, label, placeholder, disabled, className, icon } = props
  const control = useFieldControl(label)
  // A press before the list has loaded opens it once loaded, and keeps the focus.
  const [isWanted, setWanted] = useState(false)
  const [hasFocus, setFocus] = useState(false)
  const selection = choices.find((choice) => choice.value === value)
  const waiting = (
    <button
      {...control}
      type="button"
      role="combobox"
      aria-label={label}
      aria-haspopup="listbox"
      aria-expanded={false}
      disabled={disabled}
      // The list may load between a press and its release.
      onMouseDown={() => setWanted(true)}
      onClick={() => setWanted(true)}
      onFocus={() => setFocus(true)}
      onBlur={() => setFocus(false)}
      className={classNames(selectClass, className)}
    >
      {icon}
      <span className={classNames('min-w-0 flex-1 truncate', selection === undefined && 'text-ink-3')}>
        {selection?.label ?? placeholder}
      </span>
      <ChevronDown aria-hidden size={14} className="shrink-0 text-ink-3" />
    </button>
  )
  return (
    <Suspense fallback={waiting}>
      {/* Only values of the choices are returned. */}
      <SelectList
        {...props}
        onChange={(next) => {
          const choice = choices.find((candidate) => candidate.value === next)
          if (choice !== undefined) onChange(choice.value)
        }}
        isOpenAtFirst={isWanted}
        takesFocus={hasFocus}
      />
    </Suspense>
  )
}
