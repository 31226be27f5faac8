// biome-ignore-all lint/suspicious/noArrayIndexKey: Problems are identified by position only.
// biome-ignore-all lint/a11y/noNoninteractiveTabindex: What scrolls must be reached by keyboard.
import { CircleAlert } from 'lucide-react'

interface ProblemListProps {
  readonly title: string
  readonly problems: readonly { readonly row: number; readonly text: string }[]
}

const shownMax = 100

/** The problems of each row, if any. */
export function ProblemList({ title, problems }: ProblemListProps) {
  if (problems.length === 0) return null
  return (
    <section aria-label="Problems" className="rounded border border-bad bg-bad-surface text-xs">
      <h3 className="flex items-center gap-2 px-3 py-2 font-medium text-bad">
        <CircleAlert aria-hidden size={14} className="shrink-0" />
        {title}
      </h3>
      <ul tabIndex={0} aria-label={title} className="max-h-40 overflow-auto px-3 pb-2">
        {problems.slice(0, shownMax).map(({ row, text }, index) => (
          <li key={index} className="break-words">
            <span className="font-medium">Row {row}</span> {text}
          </li>
        ))}
        {problems.length > shownMax && <li>and {problems.length - shownMax} more</li>}
      </ul>
    </section>
  )
}
