import { Link } from '@tanstack/react-router'

interface AlertPathProps {
  /** The alert between the list and the last part. */
  readonly of?: { readonly id: string; readonly name: string } | undefined
  readonly last: string
}

/** Where one is below the alerts, as a path of links. */
export function AlertPath({ of, last }: AlertPathProps) {
  const linkClass = 'text-ink-2 underline decoration-line-strong underline-offset-4 hover:text-ink'
  const slash = (
    <span aria-hidden className="px-1.5 text-ink-3">
      /
    </span>
  )
  return (
    <span title={last}>
      <span className={of && 'max-sm:hidden'}>
        <Link to="/alerts" className={linkClass}>
          Alerts
        </Link>
        {slash}
      </span>
      {of !== undefined && (
        <>
          <Link to="/alerts/$id" params={{ id: of.id }} className={linkClass}>
            {of.name}
          </Link>
          {slash}
        </>
      )}
      {last}
    </span>
  )
}
