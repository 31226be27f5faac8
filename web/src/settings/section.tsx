import type { ReactNode } from 'react'

interface SectionProps {
  readonly title: string
  readonly hint?: ReactNode
  readonly children: ReactNode
}

/** One section of a settings tab: its description on the left, its controls on the right. */
export function Section({ title, hint, children }: SectionProps) {
  return (
    <section
      aria-label={title}
      className="grid grid-cols-[240px_minmax(0,480px)] gap-x-8 gap-y-3 border-b border-line px-4 py-6 last:border-0 max-lg:grid-cols-1"
    >
      <div>
        <h2 className="text-base font-medium">{title}</h2>
        {hint !== undefined && <p className="mt-1 text-sm text-ink-2">{hint}</p>}
      </div>
      <div className="flex min-w-0 flex-col gap-4">{children}</div>
    </section>
  )
}
