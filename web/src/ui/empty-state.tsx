/** An empty state: a helpful sentence, a picture or a snippet, one button. */
import type { ReactNode } from 'react'

interface EmptyStateProps {
  readonly icon?: ReactNode
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}

export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="mx-auto flex max-w-lg flex-col items-center gap-3 px-4 py-16 text-center">
      {icon !== undefined && (
        <div
          aria-hidden
          className="grid size-12 place-items-center rounded border border-line bg-sunken text-ink-3"
        >
          {icon}
        </div>
      )}
      <h2 className="text-lg font-medium">{title}</h2>
      {children !== undefined && <div className="text-ink-2">{children}</div>}
      {action}
    </div>
  )
}
