/** The text of a comment; `@` completes the names of members. Cmd or Ctrl and Enter send it. */
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useRead } from '../app/api.ts'
import { useSession } from '../app/session.tsx'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { sentenceOf } from '../ui/error-state.tsx'
import { Textarea } from '../ui/form/field.tsx'
import { readDraft, useDraft } from '../ui/storage/draft.ts'
import { isOfComposition } from '../ui/typed-key.ts'
import { completeMention, findMentioned, matchingPeople, typedMention } from './mention-text.ts'

interface CommentEditorProps {
  /** The subject or the id of the comment: the key of its draft until it is saved. */
  readonly name: string
  readonly label: string
  readonly action: string
  readonly initial?: string
  readonly isBusy: boolean
  readonly onSave: (text: string, mentions: string[]) => Promise<void>
  readonly onCancel?: () => void
}

const optionsMax = 6

const isText = (value: unknown): value is string => typeof value === 'string'

const commentDraft = (ownPlace: string, name: string): string => `comment.${ownPlace}/${name}`

/** Whether a comment was being written when its screen closed. */
export const hasCommentDraft = (ownPlace: string, name: string): boolean =>
  readDraft(commentDraft(ownPlace, name), isText) !== undefined

export function CommentEditor({
  name,
  label,
  action,
  initial = '',
  isBusy,
  onSave,
  onCancel,
}: CommentEditorProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  const listId = useId()
  const { ownPlace } = useSession()
  const draft = useDraft(commentDraft(ownPlace, name), initial, isText)
  const { value: text, change: setText } = draft
  const [problem, setProblem] = useState<string>()
  const [caret, setCaret] = useState(text.length)
  const [active, setActive] = useState(0)
  const members = useRead('members.list', {}).data?.members ?? []
  const typed = typedMention(text, caret)
  const options = typed === undefined ? [] : matchingPeople(members, typed.query).slice(0, optionsMax)
  const isEmpty = text.trim() === ''
  const save = async (): Promise<void> => {
    if (isEmpty || isBusy) return
    setProblem(undefined)
    await onSave(text.trim(), [...findMentioned(text, members)]).then(draft.discard, (error: unknown) =>
      setProblem(sentenceOf(error).description),
    )
  }
  const choose = (name: string): void => {
    const next = completeMention(text, caret, name)
    // Synchronously, so that further typing meets the caret in the right place.
    flushSync(() => {
      setText(next.text)
      setCaret(next.caret)
      setActive(0)
    })
    area.current?.focus()
    area.current?.setSelectionRange(next.caret, next.caret)
  }
  const press = (event: KeyboardEvent): void => {
    if (isOfComposition(event.nativeEvent)) return
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
      event.preventDefault()
      void save()
      return
    }
    const option = options[active]
    if (option === undefined) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setActive((active + step + options.length) % options.length)
    } else if (event.key === 'Enter' || event.key === 'Tab') {
      event.preventDefault()
      choose(option.name)
    }
  }
  return (
    <div className="flex flex-col gap-2">
      <div className="relative">
        <Textarea
          ref={area}
          aria-label={label}
          rows={3}
          value={text}
          // Text typed meanwhile would be lost with the saved draft.
          readOnly={isBusy}
          placeholder="Markdown. @ mentions a member."
          onChange={({ target }) => {
            setText(target.value)
            setCaret(target.selectionStart)
            setActive(0)
          }}
          onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
          onKeyDown={press}
        />
        {options.length > 0 && (
          <ul id={listId} aria-label="Members" className="floating absolute inset-x-0 top-full z-10 mt-1 p-1">
            {options.map(({ id, name, email }, index) => (
              <li key={id}>
                <button
                  type="button"
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => choose(name)}
                  className={classNames(
                    'flex h-7 w-full items-center gap-2 rounded-sm px-2 text-left text-sm',
                    index === active && 'bg-hover',
                  )}
                >
                  <bdi className="truncate">{name}</bdi>
                  <span className="truncate text-xs text-ink-3">{email}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
      {problem !== undefined && (
        <p role="alert" className="text-xs text-bad">
          Not saved: {problem}
        </p>
      )}
      <div className="flex justify-end gap-2">
        {onCancel && (
          <Button
            onClick={() => {
              draft.discard()
              onCancel()
            }}
          >
            Cancel
          </Button>
        )}
        <Button look="primary" isBusy={isBusy} disabled={isEmpty} onClick={() => void save()}>
          {action}
        </Button>
      </div>
    </div>
  )
}
