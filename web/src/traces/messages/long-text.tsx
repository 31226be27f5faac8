/** A text of any length: folded with its length where it is long, and drawn bit by bit where it is huge. */
import { lazy, Suspense, useState } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { exactNumber } from '../../ui/text/format.ts'
import type { ReadingMode } from './reading-mode.tsx'

const Markdown = lazy(async () => ({ default: (await import('../../ui/text/markdown.tsx')).Markdown }))

interface LongTextProps {
  readonly text: string
  readonly mode: ReadingMode
  /** In the type of code: results of tools, prompts. */
  readonly isCode?: boolean
}

/** A text is folded if it is longer than both, so that unfolding always shows much more. */
const shownMax = 1600
const foldedMin = 2400
/** Beyond this, formatting would hold up the page, and each step shows so much more. */
const stepMax = 60_000

export function LongText({ text, mode, isCode = false }: LongTextProps) {
  const [most, setMost] = useState(text.length > foldedMin ? shownMax : stepMax)
  const isCut = text.length > most
  const visibleText = isCut ? text.slice(0, most) : text
  const rest = text.length - most
  return (
    <div className="min-w-0" dir="auto">
      {mode === 'markdown' && !isCode && visibleText.length <= stepMax ? (
        // The text can be read before what formats it is there.
        <Suspense fallback={<Plain text={visibleText} isCode={false} />}>
          {/* A line of a prompt is a line, also where Markdown would join it to the next. */}
          <div className="[&_p]:whitespace-pre-line">
            <Markdown text={visibleText} />
          </div>
        </Suspense>
      ) : (
        <Plain text={visibleText} isCode={isCode} />
      )}
      {isCut ? (
        <button
          type="button"
          onClick={() => setMost(most < stepMax ? stepMax : most + stepMax * 4)}
          className="mt-1 text-xs font-medium text-accent-ink hover:underline"
        >
          {rest > stepMax ? 'Show more' : 'Show all'} ({exactNumber(text.length)} characters)
        </button>
      ) : (
        text.length > foldedMin && (
          <button
            type="button"
            onClick={() => setMost(shownMax)}
            className="mt-1 text-xs font-medium text-accent-ink hover:underline"
          >
            Collapse
          </button>
        )
      )}
    </div>
  )
}

const Plain = ({ text, isCode }: { readonly text: string; readonly isCode: boolean }) => (
  <pre
    className={classNames(
      'prose-width break-words whitespace-pre-wrap',
      isCode ? 'font-mono text-xs leading-5' : 'font-sans text-base leading-normal',
    )}
  >
    {text}
  </pre>
)
