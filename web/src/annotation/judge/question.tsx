import { useId, useState } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { NumberInput } from '../../ui/form/number-input.tsx'
import { Keys } from '../../ui/keys.tsx'
import { FormattedText } from '../../ui/text/formatted-text.tsx'
import { choicesOf, type HumanEvaluator, problemOfNumber, type Value } from './verdict-choices.ts'

/** On a small screen the rubric is collapsed, to leave room for the item. */
const hasRoom = (): boolean => matchMedia('(min-width: 1024px)').matches

interface QuestionProps {
  readonly question: HumanEvaluator
  readonly value: Value | undefined
  /** Whether the keys answer this question. */
  readonly isActive: boolean
  readonly onAnswer: (value: Value | undefined) => void
  readonly onFocus: () => void
}

/** One evaluator's question: its rubric and the possible answers. */
export function Question({ question, value, isActive, onAnswer, onFocus }: QuestionProps) {
  const { name, rubric, verdict } = question
  const choices = choicesOf(verdict)
  return (
    <fieldset
      onFocus={onFocus}
      className={classNames(
        'flex min-w-0 flex-col gap-2 border-l-2 py-1 pl-3',
        isActive ? 'border-accent' : 'border-transparent',
      )}
    >
      <legend dir="auto" className="float-left w-full text-sm font-semibold break-words">
        {name}
      </legend>
      {rubric !== '' && (
        <details open={hasRoom()} className="clear-both text-sm text-ink-2">
          <summary className="cursor-pointer text-xs text-ink-3 select-none">Rubric</summary>
          <div className="pt-1">
            <FormattedText text={rubric} />
          </div>
        </details>
      )}
      {choices === undefined ? (
        <WrittenNumber question={question} value={value} onAnswer={onAnswer} />
      ) : (
        <div className="flex flex-wrap gap-2">
          {choices.map((choice) => {
            const isChosen = choice.value === value
            return (
              <button
                key={String(choice.value)}
                type="button"
                aria-pressed={isChosen}
                aria-keyshortcuts={choice.keys}
                onClick={() => onAnswer(choice.value)}
                className={classNames(
                  'flex min-h-9 min-w-11 max-w-full items-center justify-center gap-2 rounded border px-3 py-1 text-sm font-medium',
                  isChosen
                    ? 'border-accent bg-selected text-accent-ink'
                    : 'border-line-strong bg-surface hover:bg-hover',
                )}
              >
                <span className="min-w-0 text-left break-words" dir="auto">
                  {choice.label}
                  {choice.hint !== undefined && (
                    <span className="block text-xs font-normal text-ink-2">{choice.hint}</span>
                  )}
                </span>
                {choice.keys !== undefined && choice.keys !== choice.label && isActive && (
                  <span className="max-md:hidden">
                    <Keys keys={choice.keys} />
                  </span>
                )}
              </button>
            )
          })}
        </div>
      )}
    </fieldset>
  )
}

function WrittenNumber({
  question,
  value,
  onAnswer,
}: Pick<QuestionProps, 'question' | 'value' | 'onAnswer'>) {
  const { verdict, name } = question
  // A partly typed answer, such as the 7 of 75, does not count yet.
  const [number, setNumber] = useState(typeof value === 'number' ? value : undefined)
  const problemId = useId()
  if (verdict.type !== 'numeric') return null
  const problem = number === undefined ? undefined : problemOfNumber(verdict, number)
  return (
    <>
      <NumberInput
        aria-label={name}
        aria-invalid={problem !== undefined}
        aria-describedby={problem && problemId}
        value={number}
        placeholder={`${verdict.min} to ${verdict.max}`}
        onChange={(next) => {
          setNumber(next)
          onAnswer(next !== undefined && problemOfNumber(verdict, next) === undefined ? next : undefined)
        }}
        className="w-32"
      />
      {problem !== undefined && (
        <p id={problemId} className="text-xs text-bad">
          {problem}
        </p>
      )}
    </>
  )
}
