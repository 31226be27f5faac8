/** The user's display mode for contents: Markdown, plain text or JSON. */
import { classNames } from '../../ui/class-names.ts'
import { useRemembered } from '../../ui/storage/remembered.ts'

export type ReadingMode = 'markdown' | 'raw' | 'json'

const modes: readonly { readonly value: ReadingMode; readonly label: string; readonly hint: string }[] = [
  { value: 'markdown', label: 'Markdown', hint: 'Chat with formatted text' },
  { value: 'raw', label: 'Raw', hint: 'Chat with unformatted text' },
  { value: 'json', label: 'JSON', hint: 'Everything as a JSON tree' },
]

export function useReadingMode(): [ReadingMode, (mode: ReadingMode) => void] {
  const [mode, set] = useRemembered('reading', 'markdown')
  return [modes.find(({ value }) => value === mode)?.value ?? 'markdown', set]
}

interface ReadingModeSwitchProps {
  readonly mode: ReadingMode
  readonly onChange: (mode: ReadingMode) => void
}

export function ReadingModeSwitch({ mode, onChange }: ReadingModeSwitchProps) {
  return (
    <fieldset aria-label="Display mode" className="flex shrink-0 rounded border border-line-strong text-xs">
      {modes.map(({ value, label, hint }) => (
        <button
          key={value}
          type="button"
          title={hint}
          aria-pressed={mode === value}
          onClick={() => onChange(value)}
          className={classNames(
            'h-6 rounded-sm px-2 font-medium',
            mode === value ? 'bg-selected text-accent-ink' : 'text-ink-2 hover:bg-hover',
          )}
        >
          {label}
        </button>
      ))}
    </fieldset>
  )
}
