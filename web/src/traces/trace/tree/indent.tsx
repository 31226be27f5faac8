/** The depth of a log in its trace. */

/** Beyond this depth, rows are not indented further, to leave room for names: a number shows the level. */
const stepsMax = 8

/** One guide line per ancestor level; `--indent` is the width of a level. */
const guides = 'repeating-linear-gradient(to right, var(--line) 0 1px, transparent 1px var(--indent))'

/** The indent of a log at this level; the trace itself is level 1. */
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
