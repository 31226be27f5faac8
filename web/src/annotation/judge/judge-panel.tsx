/** The annotation form: questions, a comment, and buttons to submit, skip and undo. */
import { CornerDownLeft, SkipForward, Undo2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { sentenceOf } from '../../ui/error-state.tsx'
import { Field, Textarea } from '../../ui/form/field.tsx'
import { Keys } from '../../ui/keys.tsx'
import { type Shortcut, useShortcuts } from '../../ui/shortcuts.tsx'
import { FormattedText } from '../../ui/text/formatted-text.tsx'
import { type Answers, isComplete, nextOpen, scoresOf } from './answers.ts'
import { Question } from './question.tsx'
import type { Turn } from './use-annotation.ts'
import { choicesOf, type HumanEvaluator, type Value } from './verdict-choices.ts'

interface JudgePanelProps {
  readonly questions: readonly HumanEvaluator[]
  readonly instructions: string
  readonly turn: Turn
  readonly isUndoing: boolean
  readonly onSubmit: (scores: ReturnType<typeof scoresOf>, comment: string) => void
  readonly onSkip: () => void
  readonly onUndo: () => void
  /** Called with the answers so far. */
  readonly onType: (turn: Turn) => void
}

const Hint = ({ keys }: { readonly keys: string }) => (
  <span aria-hidden className="max-lg:hidden">
    <Keys keys={keys} />
  </span>
)

/** Keyed by item, so that each item starts with its own answers. */
export function JudgePanel(props: JudgePanelProps) {
  const { questions, instructions, turn, isUndoing, onSubmit, onSkip, onUndo, onType } = props
  const [answers, setAnswers] = useState<Answers>(turn.answers)
  const [comment, setComment] = useState(turn.comment)
  const [active, setActive] = useState(0)
  const field = useRef<HTMLDivElement>(null)
  useEffect(() => onType({ ...turn, answers, comment }), [turn, answers, comment, onType])
  const isReady = isComplete(questions, answers)
  const answer = (index: number, value: Value | undefined): void => {
    const slug = questions[index]?.slug
    if (slug === undefined) return
    const { [slug]: _before, ...others } = answers
    const next = value === undefined ? others : { ...others, [slug]: value }
    setAnswers(next)
    if (value !== undefined) setActive(nextOpen(questions, next, index))
  }
  const submit = (): void => {
    if (isReady) onSubmit(scoresOf(questions, answers), comment.trim())
    else setActive(nextOpen(questions, answers, -1))
  }
  useAnswerKeys({
    questions,
    active,
    onActive: setActive,
    onAnswer: answer,
    onComment: () => field.current?.querySelector('textarea')?.focus(),
    onSubmit: submit,
    onSkip,
    onUndo,
  })
  return (
    <form
      aria-label="Your scores"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      className="flex min-h-0 flex-col"
    >
      <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4">
        {instructions !== '' && (
          <details className="text-sm">
            <summary className="cursor-pointer font-medium select-none">Instructions</summary>
            <div className="pt-1 text-ink-2">
              <FormattedText text={instructions} />
            </div>
          </details>
        )}
        {questions.map((question, index) => (
          <Question
            key={question.slug}
            question={question}
            value={answers[question.slug]}
            isActive={index === active}
            onAnswer={(value) => answer(index, value)}
            onFocus={() => setActive(index)}
          />
        ))}
        <div ref={field}>
          <Field label="Comment">
            <Textarea
              rows={2}
              maxLength={10_000}
              placeholder="Why? (c)"
              value={comment}
              onChange={(event) => setComment(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key === 'Escape') event.currentTarget.blur()
              }}
            />
          </Field>
        </div>
      </div>
      {turn.refusal !== undefined && (
        <p role="alert" className="shrink-0 border-t border-line bg-bad-surface px-4 py-2 text-sm text-bad">
          {sentenceOf(turn.refusal).description}
        </p>
      )}
      <Buttons isReady={isReady} isUndoing={isUndoing} onUndo={onUndo} onSkip={onSkip} />
    </form>
  )
}

interface ButtonsProps extends Pick<JudgePanelProps, 'isUndoing' | 'onUndo' | 'onSkip'> {
  /** Every question has an answer. */
  readonly isReady: boolean
}

const Buttons = ({ isReady, isUndoing, onUndo, onSkip }: ButtonsProps) => (
  <div className="flex shrink-0 items-center gap-2 border-t border-line bg-surface p-3">
    <Button icon={<Undo2 aria-hidden size={14} />} isBusy={isUndoing} onClick={onUndo}>
      Undo <Hint keys="u" />
    </Button>
    <Button icon={<SkipForward aria-hidden size={14} />} onClick={onSkip}>
      Skip <Hint keys="s" />
    </Button>
    <span className="flex-1" />
    <Button type="submit" look="primary" disabled={!isReady} icon={<CornerDownLeft aria-hidden size={14} />}>
      Submit
    </Button>
  </div>
)

interface AnswerKeysOptions extends Pick<JudgePanelProps, 'questions' | 'onSkip' | 'onUndo'> {
  /** The index of the active question. */
  readonly active: number
  readonly onActive: (index: number) => void
  readonly onAnswer: (index: number, value: Value) => void
  readonly onComment: () => void
  readonly onSubmit: () => void
}

/** The shortcuts for the active question's choices, and for moving, submitting, skipping and undoing. */
function useAnswerKeys(options: AnswerKeysOptions): void {
  const { questions, active, onActive, onAnswer, onComment, onSubmit, onSkip, onUndo } = options
  const activeQuestion = questions[active]
  const choices = (activeQuestion && choicesOf(activeQuestion.verdict)) ?? []
  useShortcuts([
    ...choices.flatMap(({ keys, label, value }): Shortcut[] =>
      keys === undefined
        ? []
        : [{ keys, label: `${activeQuestion?.name}: ${label}`, onPress: () => onAnswer(active, value) }],
    ),
    ...(questions.length > 1
      ? [
          { keys: 'j', label: 'Next question', onPress: () => onActive((active + 1) % questions.length) },
          {
            keys: 'k',
            label: 'Previous question',
            onPress: () => onActive((active + questions.length - 1) % questions.length),
          },
        ]
      : []),
    {
      keys: 'enter',
      label: 'Submit',
      onPress: ({ target }) => {
        // Enter presses the focused control, unless that is an answer.
        if (target instanceof HTMLElement && target.matches('a, button:not([aria-pressed]), summary'))
          target.click()
        else onSubmit()
      },
    },
    { keys: 'mod+enter', label: 'Submit, also from the comment', onPress: onSubmit },
    { keys: 'c', label: 'Comment', onPress: onComment },
    { keys: 's', label: 'Skip', onPress: onSkip },
    { keys: 'u', label: 'Undo last annotation', onPress: onUndo },
  ])
}
