import { useEffect, useRef } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { Keys } from '../../ui/keys.tsx'
import { Count } from '../../ui/text/values.tsx'
import type { Option } from './completion.ts'

interface OptionListProps {
  readonly id: string
  readonly options: readonly Option[]
  readonly active: number
  readonly onTake: (option: Option) => void
}

/** The list of completions below the field; the field keeps the focus and declares the active option. */
export function OptionList({ id, options, active, onTake }: OptionListProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  })
  return (
    <div className="floating absolute top-full left-0 z-20 mt-1 flex max-h-80 w-120 max-w-full flex-col">
      <div ref={list} id={id} role="listbox" aria-label="Completions" className="min-h-0 overflow-y-auto p-1">
        {options.map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: The field takes the keys.
          // biome-ignore lint/a11y/useFocusableInteractive: The field has the focus.
          <div
            key={option.label}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            // The field keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onTake(option)}
            className={classNames(
              'flex h-7 cursor-default items-center gap-3 rounded-sm px-2 text-sm',
              index === active ? 'bg-hover' : 'hover:bg-hover',
            )}
          >
            <span dir="auto" className="min-w-0 flex-1 truncate font-mono text-xs">
              {option.label}
            </span>
            {option.hint !== undefined && <span className="truncate text-xs text-ink-3">{option.hint}</span>}
            {option.count !== undefined && <Count value={option.count} />}
          </div>
        ))}
      </div>
      <div
        aria-hidden
        className="flex items-center gap-3 border-t border-line px-3 py-1.5 text-2xs text-ink-3"
      >
        <span className="flex items-center gap-1">
          <Keys keys="tab" /> complete
        </span>
        <span className="flex items-center gap-1">
          <Keys keys="enter" /> apply
        </span>
      </div>
    </div>
  )
}
