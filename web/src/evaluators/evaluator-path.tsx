import { Link } from '@tanstack/react-router'

interface EvaluatorPathProps {
  /** The evaluator between the list and the last part. */
  readonly of?: { readonly slug: string; readonly name: string } | undefined
  readonly last: string
}

/** Where one is below the evaluators, as a path of links. */
export function EvaluatorPath({ of, last }: EvaluatorPathProps) {
  const linkClass = 'text-ink-2 underline decoration-line-strong underline-offset-4 hover:text-ink'
  const slash = (
    <span aria-hidden className="px-1.5 text-ink-3">
      /
    </span>
  )
  return (
    <span title={last}>
      <span className={of && 'max-sm:hidden'}>
        <Link to="/evaluators" className={linkClass}>
          Evaluators
        </Link>
        {slash}
      </span>
      {of !== undefined && (
        <>
          <Link to="/evaluators/$slug" params={{ slug: of.slug }} className={linkClass}>
            {of.name}
          </Link>
          {slash}
        </>
      )}
      {last}
    </span>
  )
}
