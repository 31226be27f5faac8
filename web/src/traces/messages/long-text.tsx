/** A text of any length: collapsed if it is long, and rendered in steps if it is huge. */
import { lazy, Suspense, useState } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { exactNumber } from '../../ui/text/format.ts'
import type { ReadingMode } from './reading-mode.tsx'

const Markdown = lazy(async () => ({ default: (await import('../../ui/text/markdown.tsx')).Markdown }))

interface LongTextProps {
  readonly text: string
  readonly mode: ReadingMode
  /** In a monospace font: tool results, prompts. */
  readonly isCode?: boolean
}

/** A text is collapsed only if it exceeds both, so that expanding always shows much more. */
const shownMax = 1600
const foldedMin = 2400
/** Beyond this length, formatting would block the page; each step shows this much more. */
const stepMax = 60_000

export function LongText({ text, mode, isCode = false }: LongTextProps) {
  const [most, setMost] = useState(text.length > foldedMin ? shownMax : stepMax)
  const isCut = text.length > most
  const visibleText = isCut ? text.slice(0, most) : text
  const rest = text.length - most
  return (
    <div className="min-w-0" dir="auto">
      {mode === 'markdown' && !isCode && visibleText.length <= stepMax ? (
        // The text is readable before the formatter has loaded.
        <Suspense fallback={<Plain text={visibleText} isCode={false} />}>
          {/* Line breaks of a prompt are kept, even if Markdown would join the lines. */}
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
