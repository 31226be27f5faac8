/** The editor of one cell, which overlays the cell and grows with the text. */
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { isOfComposition } from '../../ui/typed-key.ts'
import { type GridField, readText } from './fields.ts'

export type CellExit = 'down' | 'right' | 'left' | 'stay'

interface CellEditorProps {
  readonly field: GridField
  readonly initial: string
  /** Why this text is not saved yet. */
  readonly initialProblem: string | undefined
  readonly onCommit: (value: unknown, exit: CellExit) => void
  readonly onCancel: () => void
  /** Called with text that was neither committed nor cancelled when the screen closed. */
  readonly onGone: (text: string) => void
}

const heightMaxPx = 240

export function CellEditor({ field, initial, initialProblem, onCommit, onCancel, onGone }: CellEditorProps) {
  const [text, setText] = useState(initial)
  const [problem, setProblem] = useState<string>()
  const isUnsaved = initialProblem !== undefined && problem === undefined
  const area = useRef<HTMLTextAreaElement>(null)
  const isOver = useRef(false)
  const latest = useRef({ text, onGone })
  latest.current = { text, onGone }
  useEffect(
    () => () => {
      if (!isOver.current && latest.current.text !== initial) latest.current.onGone(latest.current.text)
    },
    [initial],
  )
  useLayoutEffect(() => {
    const element = area.current
    if (element === null) return
    element.focus({ preventScroll: true })
    element.setSelectionRange(element.value.length, element.value.length)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: The height follows the text.
  useLayoutEffect(() => {
    const element = area.current
    if (element === null) return
    element.style.height = '0'
    element.style.height = `${Math.min(heightMaxPx, element.scrollHeight + 4)}px`
  }, [text])
  const commit = (exit: CellExit): void => {
    if (isOver.current) return
    const read = readText(text, field)
    if ('problem' in read) {
      setProblem(read.problem)
      return
    }
    isOver.current = true
    onCommit(read.value, exit)
  }
  const press = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    event.stopPropagation()
    if (isOfComposition(event.nativeEvent)) return
    const isNewLine = event.key === 'Enter' && (event.shiftKey || event.altKey)
    if (event.key === 'Enter' && event.altKey) {
      event.preventDefault()
      area.current?.setRangeText('\n', area.current.selectionStart, area.current.selectionEnd, 'end')
      setText(area.current?.value ?? text)
    } else if (event.key === 'Enter' && !isNewLine) {
      event.preventDefault()
      commit('down')
    } else if (event.key === 'Tab') {
      event.preventDefault()
      commit(event.shiftKey ? 'left' : 'right')
    } else if (event.key === 'Escape') {
      event.preventDefault()
      isOver.current = true
      onCancel()
    }
  }
  return (
    <div className="absolute top-0 left-0 z-2 w-full min-w-60">
      <textarea
        ref={area}
        aria-label={`Edit ${field.header}`}
        aria-invalid={problem !== undefined || isUnsaved}
        value={text}
        dir="auto"
        spellCheck={field.type === 'text'}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setProblem(undefined)
        }}
        onKeyDown={press}
        onBlur={() => commit('stay')}
        className={classNames(
          'block min-h-(--row) w-full resize-none rounded-sm border-2 border-accent bg-raised px-1.5 py-1.5 leading-normal outline-none',
          field.type === 'json' && 'font-mono text-xs',
        )}
      />
      {(problem !== undefined || isUnsaved) && (
        <p role="alert" className="rounded-sm border border-bad bg-bad-surface px-2 py-1 text-xs text-bad">
          {isUnsaved
            ? `Not saved: ${initialProblem} Press Enter to save it, or Esc to discard it.`
            : `${problem} Correct it, or press Esc to discard the change.`}
        </p>
      )}
    </div>
  )
}
