// biome-ignore-all lint/suspicious/noArrayIndexKey: Messages are identified by position only.
import { Braces, MessageSquarePlus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { readMessages } from '../traces/messages/read-messages.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Textarea } from '../ui/form/field.tsx'
import { Select } from '../ui/form/select.tsx'
import { CodeEditor } from '../ui/text/code-editor.tsx'
import { LazyChat } from './lazy-chat.tsx'
import type { ChatMessage } from './replay.ts'

interface MessagesEditorProps {
  readonly messages: readonly ChatMessage[]
  readonly onChange: (messages: readonly ChatMessage[]) => void
}

const roles = ['system', 'user', 'assistant', 'tool'] as const

/** The conversation that follows the texts. Plain texts are edited in place; calls, results and images as JSON. */
export function MessagesEditor({ messages, onChange }: MessagesEditorProps) {
  const [isJson, setJson] = useState(false)
  const [newPosition, setNewPosition] = useState<number>()
  const put = (position: number, message: ChatMessage): void =>
    onChange(messages.map((other, index) => (index === position ? message : other)))
  return (
    <section aria-label="Messages" className="flex flex-col gap-2">
      <div className="flex h-7 items-center gap-1">
        <h2 className="flex-1 text-sm font-medium">Messages after the prompt</h2>
        {messages.length > 0 && (
          <IconButton
            size="small"
            label={isJson ? 'Edit as chat' : 'Edit as JSON'}
            onClick={() => setJson(!isJson)}
          >
            <Braces aria-hidden size={14} />
          </IconButton>
        )}
        <Button
          size="small"
          look="quiet"
          icon={<MessageSquarePlus aria-hidden size={14} />}
          onClick={() => {
            // The JSON text is what was typed there, and would not contain the change.
            setJson(false)
            setNewPosition(messages.length)
            onChange([...messages, { role: nextRole(messages), content: '' }])
          }}
        >
          Add message
        </Button>
      </div>
      {isJson ? (
        <JsonMessages messages={messages} onChange={onChange} />
      ) : (
        <ol className="flex flex-col gap-2">
          {messages.map((message, position) => (
            <li key={position} className="flex flex-col gap-1 rounded border border-line p-2">
              <div className="flex items-center gap-1">
                <Select
                  label={`Role of message ${position + 1}`}
                  className="h-7! w-28"
                  value={message.role}
                  onChange={(role) => put(position, { ...message, role })}
                  choices={roles.map((value) => ({ value, label: value }))}
                />
                <span className="flex-1" />
                <IconButton
                  size="small"
                  label={`Remove message ${position + 1}`}
                  onClick={() => onChange(messages.filter((_, index) => index !== position))}
                >
                  <Trash2 aria-hidden size={14} />
                </IconButton>
              </div>
              {typeof message.content === 'string' && message.tool_calls === undefined ? (
                <Textarea
                  dir="auto"
                  autoFocus={position === newPosition}
                  aria-label={`Message ${position + 1}`}
                  className="field-sizing-content max-h-64"
                  value={message.content}
                  onChange={(event) => put(position, { ...message, content: event.currentTarget.value })}
                />
              ) : (
                <LazyChat
                  label={`Message ${position + 1}`}
                  mode="raw"
                  messages={readMessages([message], 'input') ?? []}
                />
              )}
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

const nextRole = (messages: readonly ChatMessage[]): string =>
  messages.at(-1)?.role === 'user' ? 'assistant' : 'user'

function JsonMessages({ messages, onChange }: MessagesEditorProps) {
  const [text, setText] = useState(() => JSON.stringify(messages, null, 2))
  const [problem, setProblem] = useState<string>()
  const change = (next: string): void => {
    setText(next)
    const read = readList(next)
    setProblem(read === undefined ? 'Enter a JSON list of messages, each with a role.' : undefined)
    if (read !== undefined) onChange(read)
  }
  return (
    <>
      <CodeEditor label="Messages as JSON" language="json" value={text} onChange={change} maxHeightPx={480} />
      {problem !== undefined && <p className="text-xs text-bad">{problem}</p>}
    </>
  )
}

function readList(text: string): readonly ChatMessage[] | undefined {
  try {
    const list = JSON.parse(text) as unknown
    const isList =
      Array.isArray(list) && list.every((item: { role?: unknown } | null) => typeof item?.role === 'string')
    return isList ? (list as readonly ChatMessage[]) : undefined
  } catch {
    return undefined
  }
}
