/** The keys of a shortcut, as labelled on this keyboard: `mod+k`, `g t`, `?`. */
import { isApple } from './typed-key.ts'

const names: Readonly<Record<string, string>> = {
  mod: isApple ? '⌘' : 'Ctrl',
  shift: isApple ? '⇧' : 'Shift',
  enter: '↵',
  escape: 'Esc',
  arrowup: '↑',
  arrowdown: '↓',
  arrowleft: '←',
  arrowright: '→',
}

export function Keys({ keys }: { readonly keys: string }) {
  return (
    <span className="inline-flex shrink-0 items-center gap-1">
      {keys.split(/[+ ](?=.)/).map((key) => (
        <kbd
          key={key}
          className="min-w-5 rounded-sm border border-line-strong bg-sunken px-1 text-center font-sans text-2xs text-ink-2"
        >
          {names[key.toLowerCase()] ?? (key.length === 1 ? key.toUpperCase() : key)}
        </kbd>
      ))}
    </span>
  )
}
