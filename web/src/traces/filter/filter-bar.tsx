/** The filter as text with completion, and as chips below, kept in sync. `/` focuses it. */
import { ListFilter, X } from 'lucide-react'
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { IconButton } from '../../ui/button.tsx'
import { useShortcuts } from '../../ui/shortcuts.tsx'
import { isOfComposition } from '../../ui/typed-key.ts'
import { complete, type Option } from './completion.ts'
import { FilterChips } from './filter-chips.tsx'
import { OptionList } from './option-list.tsx'
import { type Scope, useCompletion } from './use-completion.ts'

interface FilterBarProps {
  readonly text: string
  readonly onChange: (text: string) => void
  readonly scope: Scope
}

export function FilterBar({ text, onChange, scope }: FilterBarProps) {
  const input = useRef<HTMLInputElement>(null)
  const list = useId()
  const appliedText = useRef<string>(undefined)
  const [draft, setDraft] = useState(text)
  const [caret, setCaret] = useState(text.length)
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const { activeCompletion, options } = useCompletion(draft, caret, scope, isOpen)
  // Changes by a chip or a facet are applied to the text synchronously, so that no key press comes in between.
  useLayoutEffect(() => {
    // The user may already be typing the next word before the new filter arrives.
    const isTyping = document.activeElement === input.current && text !== ''
    const inputText = isTyping
      ? `${text} ${nextWord(input.current?.value ?? '', appliedText.current, text)}`
      : text
    setDraft(inputText)
    setCaret(inputText.length)
  }, [text])
  useShortcuts([{ keys: '/', label: 'Filter', onPress: () => input.current?.focus() }])
  const isListed = isOpen && options.length > 0

  const type = (next: string, cursor: number): void => {
    setDraft(next)
    setCaret(cursor)
    setActive(-1)
    setOpen(true)
  }
  const apply = (next: string): void => {
    setOpen(false)
    setActive(-1)
    appliedText.current = next.trim()
    onChange(appliedText.current)
  }
  const take = (option: Option): void => {
    if (activeCompletion === undefined) return
    const result = complete(draft, activeCompletion, option)
    // The caret can be set only once the field has the text; synchronously, in case the user keeps typing.
    flushSync(() => type(result.text, result.caret))
    input.current?.setSelectionRange(result.caret, result.caret)
    if (activeCompletion.kind === 'value') apply(result.text)
  }
  const press = (event: KeyboardEvent): void => {
    // Enter ends an IME composition, such as Japanese, and Esc cancels it.
    if (isOfComposition(event.nativeEvent)) return
    const activeOption = options[active]
    const first = options[Math.max(active, 0)]
    if (event.key === 'Enter') {
      if (isListed && activeOption !== undefined) take(activeOption)
      else apply(draft)
    } else if (event.key === 'Tab' && isListed && first !== undefined && isTyping(draft, caret)) take(first)
    else if (event.key === 'ArrowDown') {
      setOpen(true)
      setActive((active + 1) % Math.max(options.length, 1))
    } else if (event.key === 'ArrowUp') setActive(active <= 0 ? options.length - 1 : active - 1)
    else if (event.key === 'Escape') {
      if (isListed) setOpen(false)
      else {
        // Before the blur, which applies the typed text.
        flushSync(() => setDraft(text))
        input.current?.blur()
      }
    } else return
    event.preventDefault()
  }
  return (
    <search className="flex flex-col gap-2">
      <div className="relative">
        <ListFilter aria-hidden size={14} className="absolute top-2.5 left-2.5 text-ink-3" />
        <input
          ref={input}
          role="combobox"
          aria-label="Filter"
          aria-expanded={isListed}
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={isListed && active >= 0 ? `${list}-${active}` : undefined}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          placeholder='Filter: model:gpt-4o cost>0.01 hasError:true "exact words"'
          value={draft}
          onChange={({ currentTarget }) =>
            type(currentTarget.value, currentTarget.selectionStart ?? currentTarget.value.length)
          }
          onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart ?? 0)}
          onFocus={() => setOpen(true)}
          onBlur={() => (draft.trim() === text ? setOpen(false) : apply(draft))}
          onKeyDown={press}
          className="control w-full pr-9 pl-8 font-mono text-xs"
        />
        {draft !== '' && (
          <span className="absolute top-0.5 right-0.5">
            <IconButton label="Clear filter" size="small" onClick={() => apply('')}>
              <X aria-hidden size={14} />
            </IconButton>
          </span>
        )}
        {isListed && <OptionList id={list} options={options} active={active} onTake={take} />}
      </div>
      <FilterChips text={text} onChange={onChange} />
    </search>
  )
}

/** The text typed after the filter since it was applied here; empty if the filter came from elsewhere. */
const nextWord = (inputText: string, appliedText: string | undefined, text: string): string =>
  appliedText === text && inputText.startsWith(text) ? inputText.slice(text.length).trimStart() : ''

/** Tab completes the word being typed; otherwise it moves the focus. */
const isTyping = (text: string, caret: number): boolean => /\S/.test(text.charAt(caret - 1))
