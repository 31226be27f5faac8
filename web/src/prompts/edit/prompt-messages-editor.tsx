// biome-ignore-all lint/suspicious/noArrayIndexKey: Messages are identified by position only.
/** A prompt as messages: roles, templates, and places where the application inserts messages of its own. */
import type { PromptMessage } from '@plumbline/sdk'
import { ArrowDown, ArrowUp, MessageSquarePlus, MessagesSquare, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import { Input } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { CodeEditor } from '../../ui/text/code-editor.tsx'
import type { useCompletion } from './complete-variables.ts'

interface PromptMessagesEditorProps {
  readonly messages: readonly PromptMessage[]
  readonly onChange: (messages: readonly PromptMessage[]) => void
  readonly complete: ReturnType<typeof useCompletion>
  /** Why a template cannot be parsed; undefined if it can. */
  readonly problemOf: (template: string) => ReactNode
}

const roles = ['system', 'user', 'assistant', 'developer', 'tool']

export function PromptMessagesEditor({ messages, onChange, complete, problemOf }: PromptMessagesEditorProps) {
  const put = (position: number, message: PromptMessage): void => onChange(messages.with(position, message))
  const [newPosition, setNewPosition] = useState<number>()
  const nextRole = messages.at(-1)?.role === 'user' ? 'assistant' : 'user'
  return (
    <section aria-label="Messages" className="flex flex-col gap-3">
      <ol className="flex flex-col gap-3">
        {messages.map((message, position) => (
          <li key={position} className="flex flex-col gap-1.5 rounded border border-line p-2">
            <MessageHeader
              message={message}
              position={position}
              count={messages.length}
              onChange={(newMessage) => put(position, newMessage)}
              onMove={(step) => onChange(moveMessage(messages, position, step))}
              onRemove={() => onChange(messages.toSpliced(position, 1))}
            />
            {message.placeholder === undefined && (
              <>
                <CodeEditor
                  label={`Message ${position + 1}`}
                  language="jinja"
                  placeholder={'A template, with {{ variables }}.'}
                  value={message.content ?? ''}
                  onChange={(content) => put(position, { ...message, content })}
                  complete={complete}
                  takesFocus={position === newPosition}
                  minHeightPx={72}
                  maxHeightPx={400}
                />
                {problemOf(message.content ?? '')}
              </>
            )}
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-2">
        <Button
          size="small"
          icon={<MessageSquarePlus aria-hidden size={14} />}
          onClick={() => {
            setNewPosition(messages.length)
            onChange([...messages, { role: nextRole, content: '' }])
          }}
        >
          Add message
        </Button>
        <Button
          size="small"
          icon={<MessagesSquare aria-hidden size={14} />}
          onClick={() => onChange([...messages, { placeholder: 'history' }])}
        >
          Add placeholder
        </Button>
      </div>
    </section>
  )
}

interface MessageHeaderProps {
  readonly message: PromptMessage
  readonly position: number
  readonly count: number
  readonly onChange: (message: PromptMessage) => void
  readonly onMove: (step: -1 | 1) => void
  readonly onRemove: () => void
}

function MessageHeader({ message, position, count, onChange, onMove, onRemove }: MessageHeaderProps) {
  const { role = 'user', placeholder } = message
  const choices = roles.includes(role) ? roles : [...roles, role]
  const name = `message ${position + 1}`
  return (
    <div className="flex flex-wrap items-center gap-1">
      {placeholder === undefined ? (
        <Select
          label={`Role of ${name}`}
          className="h-7! w-32"
          value={role}
          onChange={(newRole) => onChange({ ...message, role: newRole })}
          choices={choices.map((value) => ({ value, label: value }))}
        />
      ) : (
        <>
          <span className="text-sm text-ink-2">Messages of the variable</span>
          <Input
            aria-label={`Variable of ${name}`}
            className="h-7! w-40! font-mono"
            maxLength={128}
            value={placeholder}
            onChange={(event) => onChange({ placeholder: event.currentTarget.value })}
          />
        </>
      )}
      <span className="flex-1" />
      <IconButton size="small" label={`Move ${name} up`} disabled={position === 0} onClick={() => onMove(-1)}>
        <ArrowUp aria-hidden size={14} />
      </IconButton>
      <IconButton
        size="small"
        label={`Move ${name} down`}
        disabled={position === count - 1}
        onClick={() => onMove(1)}
      >
        <ArrowDown aria-hidden size={14} />
      </IconButton>
      <IconButton size="small" label={`Remove ${name}`} disabled={count === 1} onClick={onRemove}>
        <Trash2 aria-hidden size={14} />
      </IconButton>
    </div>
  )
}

function moveMessage(
  messages: readonly PromptMessage[],
  position: number,
  step: -1 | 1,
): readonly PromptMessage[] {
  const [message, neighbour] = [messages[position], messages[position + step]]
  if (message === undefined || neighbour === undefined) return messages
  return messages.with(position, neighbour).with(position + step, message)
}
