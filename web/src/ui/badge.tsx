/** A coloured word with a meaning; and a removable filter chip. */
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'info' | 'accent'

const tones: Readonly<Record<Tone, string>> = {
  neutral: 'bg-hover text-ink-2',
  good: 'bg-good-surface text-good',
  warn: 'bg-warn-surface text-warn',
  bad: 'bg-bad-surface text-bad',
  info: 'bg-info-surface text-info',
  accent: 'bg-selected text-accent-ink',
}

interface BadgeProps {
  readonly tone?: Tone
  readonly title?: string
  readonly children: ReactNode
}

export function Badge({ tone = 'neutral', title, children }: BadgeProps) {
  return (
    <span
      title={title}
      className={classNames(
        'inline-flex h-5 max-w-full shrink-0 items-center gap-1 truncate rounded-sm px-1.5 text-xs font-medium whitespace-nowrap',
        tones[tone],
      )}
    >
      {children}
    </span>
  )
}

interface ChipProps {
  readonly children: ReactNode
  /** Its text, for the accessible name of the remove button. */
  readonly label: string
  readonly onRemove: () => void
}

export function Chip({ children, label, onRemove }: ChipProps) {
  return (
    <span className="inline-flex h-6 max-w-full items-center gap-1 rounded-sm border border-line-strong bg-sunken pl-2 text-xs">
      <span className="truncate">{children}</span>
      <button
        type="button"
        aria-label={`Remove ${label}`}
        onClick={onRemove}
        className="grid size-6 place-items-center rounded-sm text-ink-3 hover:bg-hover hover:text-ink"
      >
        <X aria-hidden size={12} />
      </button>
    </span>
  )
}

export type LogTypeName = 'generation' | 'tool' | 'retrieval' | 'function' | 'span' | 'event'

/** The colour of each log type, the same everywhere. */
export const logTypeClass: Readonly<Record<LogTypeName, string>> = {
  generation: 'text-type-generation',
  tool: 'text-type-tool',
  retrieval: 'text-type-retrieval',
  function: 'text-type-function',
  span: 'text-type-span',
  event: 'text-type-event',
}
