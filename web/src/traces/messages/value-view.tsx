/** An input or output of any shape: a chat if recognized, otherwise a text or a tree. */
import { useMemo } from 'react'
import { JsonTree } from '../../ui/text/json-tree.tsx'
import { Chat, type ResentMessages } from './chat.tsx'
import { parsedJson } from './json.ts'
import { LongText } from './long-text.tsx'
import type { ToolResult } from './pair-tools.ts'
import { readMessages } from './read-messages.ts'
import type { ReadingMode } from './reading-mode.tsx'

interface ValueViewProps {
  readonly value: unknown
  readonly side: 'input' | 'output'
  readonly mode: ReadingMode
  /** Its accessible name. */
  readonly label: string
  /** Messages that an earlier call already sent. */
  readonly resent?: ResentMessages | undefined
  /** Tool results that came after these messages. */
  readonly later?: readonly ToolResult[] | undefined
}

export function ValueView({ value, side, mode, label, resent, later }: ValueViewProps) {
  const messages = useMemo(() => readMessages(value, side), [value, side])
  const parsed = useMemo(() => parsedJson(value), [value])
  if (value === null || value === undefined) return <p className="text-sm text-ink-3">No value.</p>
  if (value === '') return <p className="text-sm text-ink-3">Empty text.</p>
  if (mode === 'json') return <JsonTree value={parsed} label={label} openDepth={4} />
  if (messages !== undefined)
    return <Chat messages={messages} mode={mode} label={label} resent={resent} later={later} />
  if (typeof parsed === 'string') return <LongText text={parsed} mode={mode} />
  if (mode === 'raw') return <LongText text={JSON.stringify(parsed, null, 2)} mode="raw" isCode />
  return <JsonTree value={parsed} label={label} openDepth={3} hasSearch={false} />
}
