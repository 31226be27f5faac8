/** CodeMirror as a controlled component; loaded through `CodeEditor`. */
import {
  autocompletion,
  type CompletionSource,
  closeBrackets,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, insertNewlineKeepIndent } from '@codemirror/commands'
import { javascript } from '@codemirror/lang-javascript'
import { jinja } from '@codemirror/lang-jinja'
import { json } from '@codemirror/lang-json'
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  keymap,
  lineNumbers,
  placeholder as placeholderOf,
} from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useRef } from 'react'

export interface CodeMirrorProps {
  readonly value: string
  /** Absent if nothing may be changed. */
  readonly onChange?: (value: string) => void
  readonly language: 'javascript' | 'jinja' | 'json' | 'text'
  /** Its accessible name. */
  readonly label: string
  readonly placeholder?: string
  readonly minHeightPx?: number
  readonly maxHeightPx?: number
  readonly hasLineNumbers?: boolean
  /** Offers completions: variables, fields. */
  readonly complete?: CompletionSource
  /** Takes the focus once it is mounted. */
  readonly takesFocus?: boolean
}

const look = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'transparent', fontSize: '13px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono, monospace)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '8px 0' },
  '.cm-line': { padding: '0 12px' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--ink-3)', border: 'none' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground, ::selection': {
    backgroundColor: 'color-mix(in oklab, var(--accent) 28%, transparent) !important',
  },
  '.cm-matchingBracket': { backgroundColor: 'var(--selected) !important' },
  '.cm-placeholder': { color: 'var(--ink-3)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    border: '1px solid var(--line-strong)',
    borderRadius: '6px',
    overflow: 'hidden',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--selected)',
    color: 'var(--ink)',
  },
})

const colors = HighlightStyle.define([
  { tag: [tags.keyword, tags.controlKeyword, tags.operatorKeyword], color: 'var(--type-generation)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--info)' },
  { tag: [tags.variableName, tags.propertyName], color: 'var(--type-function)' },
  {
    tag: [tags.brace, tags.paren, tags.squareBracket, tags.punctuation, tags.operator],
    color: 'var(--ink-2)',
  },
  { tag: [tags.comment, tags.lineComment, tags.blockComment], color: 'var(--ink-3)', fontStyle: 'italic' },
])

/**
 * The language closes `{%` with `%}`. Typing the end moves over it: the bracket-closing extension skips only the
 * brace, and a second percent sign before it would leave both.
 */
const overtypePercent = EditorView.inputHandler.of((view, start, end, text) => {
  if (text !== '%' || start !== end || view.state.sliceDoc(start, start + 2) !== '%}') return false
  view.dispatch({ selection: { anchor: start + 1 }, userEvent: 'input.type' })
  return true
})

const languages: Readonly<Record<CodeMirrorProps['language'], () => Extension>> = {
  javascript: () => javascript(),
  // Template whitespace reaches the model: a new line gets no more of it than the previous one.
  jinja: () => [overtypePercent, keymap.of([{ key: 'Enter', run: insertNewlineKeepIndent }]), jinja()],
  json: () => json(),
  text: () => [],
}

export function CodeMirror(props: CodeMirrorProps) {
  const { value, onChange, language, label, placeholder, minHeightPx = 96, maxHeightPx = 640 } = props
  const { hasLineNumbers = false, complete, takesFocus = false } = props
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const latest = useRef(onChange)
  latest.current = onChange
  const isReadOnly = onChange === undefined
  const mayTakeFocus = useRef(takesFocus)

  // biome-ignore lint/correctness/useExhaustiveDependencies: An external value is dispatched below; the rest recreates it.
  useEffect(() => {
    if (place.current === null) return
    const editor = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: value,
        extensions: [
          history(),
          drawSelection(),
          bracketMatching(),
          closeBrackets(),
          autocompletion(complete ? { override: [complete] } : {}),
          // Enter accepts a completion, if one is offered.
          keymap.of(completionKeymap),
          languages[language](),
          // Tab moves to the next field, as everywhere on the page.
          keymap.of([...historyKeymap, ...defaultKeymap]),
          syntaxHighlighting(colors),
          look,
          EditorView.lineWrapping,
          // An editable element is focusable anyway; the index makes that explicit for accessibility checks of scrollable
          // regions.
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          hasLineNumbers ? lineNumbers() : [],
          placeholder === undefined ? [] : placeholderOf(placeholder),
          EditorState.readOnly.of(isReadOnly),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current?.(update.state.doc.toString())
          }),
        ],
      }),
    })
    view.current = editor
    if (mayTakeFocus.current) editor.focus()
    mayTakeFocus.current = false
    return () => editor.destroy()
  }, [language, label, placeholder, hasLineNumbers, isReadOnly, complete])

  useEffect(() => {
    const editor = view.current
    if (editor === undefined || editor.state.doc.toString() === value) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } })
  }, [value])

  return (
    <div
      ref={place}
      className="overflow-auto rounded border border-line-control bg-surface focus-within:outline-2 focus-within:outline-accent"
      style={{ minHeight: minHeightPx, maxHeight: maxHeightPx }}
    />
  )
}
