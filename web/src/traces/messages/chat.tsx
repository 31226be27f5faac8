// biome-ignore-all lint/suspicious/noArrayIndexKey: Messages and their parts are identified by position only.
/** Messages as a chat: roles, tool calls beside their results, collapsed reasoning, images. */
import { useState } from 'react'
import { classNames } from '../../ui/class-names.ts'
import type { Message, Role } from './message.ts'
import { type MessageWithResults, pairTools, type ToolResult } from './pair-tools.ts'
import { PartView } from './part-view.tsx'
import type { ReadingMode } from './reading-mode.tsx'

export interface ResentMessages {
  /** The number of leading messages. */
  readonly count: number
  /** The earlier call that sent them. */
  readonly name: string
  /** Opens that call. */
  readonly onOpen: () => void
}

interface ChatProps {
  readonly messages: readonly Message[]
  readonly mode: ReadingMode
  readonly label: string
  readonly resent?: ResentMessages | undefined
  /** Tool results that came after these messages. */
  readonly later?: readonly ToolResult[] | undefined
}

/** More on demand: a chat of thousands is read from its end. */
const stepMax = 60

export function Chat({ messages, mode, label, resent, later }: ChatProps) {
  const [showsResent, setShowsResent] = useState(false)
  const [most, setMost] = useState(stepMax)
  const folded = showsResent ? 0 : (resent?.count ?? 0)
  const paired = pairTools(messages.slice(folded), later)
  const hiddenCount = Math.max(0, paired.length - most)
  return (
    <ol aria-label={label} className="flex flex-col gap-3">
      {resent !== undefined && (
        <li className="flex flex-wrap items-center gap-x-2 rounded border border-dashed border-line-strong bg-sunken px-3 py-1.5 text-xs text-ink-2">
          <span>
            Same {resent.count} messages as in{' '}
            <button
              type="button"
              onClick={resent.onOpen}
              className="font-medium text-accent-ink hover:underline"
            >
              {resent.name}
            </button>{' '}
            above
          </span>
          <button
            type="button"
            aria-expanded={showsResent}
            onClick={() => setShowsResent(!showsResent)}
            className="font-medium text-accent-ink hover:underline"
          >
            {showsResent ? 'Collapse' : 'Show'}
          </button>
        </li>
      )}
      {hiddenCount > 0 && (
        <li>
          <button
            type="button"
            onClick={() => setMost(most + stepMax * 4)}
            className="text-xs font-medium text-accent-ink hover:underline"
          >
            Show {Math.min(hiddenCount, stepMax * 4)} earlier messages
          </button>
        </li>
      )}
      {paired.slice(hiddenCount).map((item, index) => (
        <ChatMessage key={hiddenCount + index} pairedMessage={item} mode={mode} />
      ))}
    </ol>
  )
}

const looks: Readonly<Record<Role, { readonly label: string; readonly className: string }>> = {
  system: { label: 'System', className: 'border-line-strong' },
  user: { label: 'User', className: 'border-info' },
  assistant: { label: 'Assistant', className: 'border-type-generation' },
  tool: { label: 'Tool', className: 'border-type-tool' },
}

interface ChatMessageProps {
  readonly pairedMessage: MessageWithResults
  readonly mode: ReadingMode
}

function ChatMessage({ pairedMessage: { message, results }, mode }: ChatMessageProps) {
  const { label, className } = looks[message.role]
  return (
    <li className={classNames('min-w-0 border-l-2 pl-3', className)}>
      <div className="mb-1 flex items-center gap-2 text-xs text-ink-3">
        <span className="font-medium text-ink-2">{label}</span>
        {message.name !== undefined && (
          <span dir="auto" className="min-w-0 truncate">
            {message.name}
          </span>
        )}
      </div>
      <div className="flex min-w-0 flex-col gap-2">
        {message.parts.length === 0 && <p className="text-sm text-ink-3">Empty message.</p>}
        {message.parts.map((part, index) => (
          <PartView
            key={index}
            part={part}
            result={part.type === 'toolCall' ? results.get(part) : undefined}
            mode={mode}
            isCode={message.role === 'system'}
          />
        ))}
      </div>
    </li>
  )
}
