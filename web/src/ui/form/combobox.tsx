/**
 * Selects one of many choices by typing. The list, with the code that filters and positions it, is loaded after the
 * screen.
 */
import { ChevronDown } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { classNames } from '../class-names.ts'
import { late } from '../late.ts'
import { useFieldControl } from './field.tsx'
import type { Choice } from './select.tsx'

export interface ComboboxProps<Value extends string> {
  readonly choices: readonly Choice<Value>[]
  readonly value: Value | undefined
  readonly onChange: (value: Value | undefined) => void
  readonly label?: string
  readonly placeholder?: string
  readonly className?: string
}

export const comboboxClass = 'control w-full pr-8 pl-2'

const use = Promise.withResolvers<void>()
const ComboboxList = late(async () => (await import('./combobox-list.tsx')).ComboboxList, use.promise)

export function Combobox<Value extends string>(props: ComboboxProps<Value>) {
  const { choices, value, onChange, label, placeholder = 'Choose…', className } = props
  const control = useFieldControl(label)
  // A press before the list has loaded opens it once loaded, and keeps the focus.
  const [isWanted, setWanted] = useState(false)
  const [hasFocus, setFocus] = useState(false)
  // Text typed before then is kept as well.
  const [text, setText] = useState<string>()
  // Loaded after the first paint, not with the first press, so that typing reaches the input with search.
  useEffect(() => use.resolve(), [])
  const waiting = (
    <div className={classNames('relative', className)}>
      <input
        {...control}
        role="combobox"
        aria-label={label}
        aria-haspopup="listbox"
        aria-expanded={false}
        autoComplete="off"
        placeholder={placeholder}
        value={text ?? choices.find((choice) => choice.value === value)?.label ?? ''}
        onChange={(event) => setText(event.target.value)}
        // The list may replace it during a press: then no click follows, and the browser would focus nothing.
        onMouseDown={(event) => {
          event.preventDefault()
          event.currentTarget.focus()
          setWanted(true)
        }}
        onClick={() => setWanted(true)}
        onFocus={() => setFocus(true)}
        onBlur={() => {
          setFocus(false)
          setWanted(false)
          setText(undefined)
        }}
        className={comboboxClass}
      />
      <ChevronDown
        aria-hidden
        size={14}
        className="pointer-events-none absolute top-0 right-2 h-full text-ink-3"
      />
    </div>
  )
  return (
    <Suspense fallback={waiting}>
      <ComboboxList
        {...{ ...props, placeholder }}
        // Only values of the choices are returned.
        onChange={(next) => onChange(choices.find((choice) => choice.value === next)?.value)}
        isOpenAtFirst={isWanted}
        takesFocus={hasFocus}
        typedText={text}
      />
    </Suspense>
  )
}
