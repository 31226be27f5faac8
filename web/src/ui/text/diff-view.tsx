// biome-ignore-all lint/suspicious/noArrayIndexKey: Lines and parts are identified by position only.
/** The diff of two texts: marked in running text, or line by line. */
import { useMemo, useState } from 'react'
import { classNames } from '../class-names.ts'
import { type DiffLine, type DiffPart, foldSame, lineDiff, wordDiff } from './diff-parts.ts'

interface DiffViewProps {
  readonly before: string
  readonly after: string
  /** Words for prose; lines for prompts and code. */
  readonly unit?: 'words' | 'lines'
  readonly label: string
}

const lineClasses = { same: '', added: 'bg-good-surface', removed: 'bg-bad-surface' } as const
const partClasses = {
  same: '',
  added: 'rounded-sm bg-good-surface text-good underline decoration-1 underline-offset-2',
  removed: 'rounded-sm bg-bad-surface text-bad line-through decoration-1',
} as const
const signs = { same: ' ', added: '+', removed: '-' } as const

export function DiffView({ before, after, unit = 'lines', label }: DiffViewProps) {
  if (before === after) return <p className="p-3 text-sm text-ink-3">Nothing changed.</p>
  return unit === 'words' ? (
    <WordDiff before={before} after={after} label={label} />
  ) : (
    <LineDiff before={before} after={after} label={label} />
  )
}

type PartsProps = Omit<DiffViewProps, 'by'>

function WordDiff({ before, after, label }: PartsProps) {
  const parts = useMemo(() => wordDiff(before, after), [before, after])
  return (
    <section aria-label={label} className="relative text-sm leading-normal break-words whitespace-pre-wrap">
      <Parts parts={parts} />
    </section>
  )
}

function LineDiff({ before, after, label }: PartsProps) {
  const folded = useMemo(() => foldSame(lineDiff(before, after)), [before, after])
  const [openGaps, setOpened] = useState<ReadonlySet<number>>(new Set())
  return (
    <section
      aria-label={label}
      className="relative overflow-hidden rounded border border-line font-mono text-xs leading-5"
    >
      {folded.map((line, index) =>
        line.change !== 'folded' ? (
          <Line key={index} line={line} />
        ) : openGaps.has(index) ? (
          line.lines.map((diffLine) => <Line key={`${index} ${diffLine.before}`} line={diffLine} />)
        ) : (
          <button
            key={index}
            type="button"
            onClick={() => setOpened(new Set([...openGaps, index]))}
            className="block w-full bg-sunken px-3 py-0.5 text-left text-ink-3 hover:bg-hover"
          >
            {line.lines.length} unchanged {line.lines.length === 1 ? 'line' : 'lines'}
          </button>
        ),
      )}
    </section>
  )
}

const Line = ({ line }: { readonly line: DiffLine }) => (
  <div className={classNames('flex', lineClasses[line.change])}>
    <span className="w-10 shrink-0 pr-2 text-right text-ink-3 select-none">{line.before}</span>
    <span className="w-10 shrink-0 pr-2 text-right text-ink-3 select-none">{line.after}</span>
    <span aria-hidden className="w-4 shrink-0 text-ink-2 select-none">
      {signs[line.change]}
    </span>
    <span className="min-w-0 flex-1 pr-3 break-words whitespace-pre-wrap">
      {line.change !== 'same' && <span className="sr-only">{line.change}: </span>}
      <Parts parts={line.parts} />
    </span>
  </div>
)

const Parts = ({ parts }: { readonly parts: readonly DiffPart[] }) =>
  parts.map(({ text, change }, index) => {
    const Element = change === 'added' ? 'ins' : change === 'removed' ? 'del' : 'span'
    // An entirely new line needs no marks within it.
    const look = parts.length === 1 ? 'no-underline' : partClasses[change]
    return (
      <Element key={index} className={look}>
        {text}
      </Element>
    )
  })
