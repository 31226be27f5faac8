/** How deep a log stands in its trace. */

/** Deeper than this, rows stand no further in, so that their names have room: a number tells the level. */
const stepsMax = 8

/** One line for each level above; `--indent` is the width of a level. */
const guides = 'repeating-linear-gradient(to right, var(--line) 0 1px, transparent 1px var(--indent))'

/** The space before a log at this level, where the trace itself is at level 1. */
export function Indent({ level }: { readonly level: number }) {
  const steps = Math.min(level - 1, stepsMax)
  return (
    <>
      <span
        aria-hidden
        className="-mr-1 shrink-0 self-stretch"
        style={{ width: `calc(${steps} * var(--indent))`, backgroundImage: guides }}
      />
      {level - 1 > stepsMax && (
        <span aria-hidden title={`Level ${level}`} className="numbers shrink-0 text-2xs text-ink-3">
          {level}
        </span>
      )}
    </>
  )
}
