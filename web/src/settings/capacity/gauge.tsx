/** A usage bar, with the point at which recording stops. */
import type { ReactNode } from 'react'

interface GaugeProps {
  readonly title: string
  readonly used: number
  readonly size: number
  /** Where recording stops. */
  readonly limit: number
  readonly facts: readonly (readonly [string, ReactNode])[]
  readonly children: ReactNode
}

export function Gauge({ title, used, size, limit, facts, children }: GaugeProps) {
  const percentageOf = (value: number): string => `${Math.min(100, (value / size) * 100)}%`
  return (
    <section aria-label={title} className="flex max-w-160 flex-col gap-2">
      <h2 className="text-base font-medium">{title}</h2>
      <div aria-hidden className="relative h-3 overflow-hidden rounded-sm bg-sunken">
        <div
          className={`h-full ${used >= limit ? 'bg-bad' : 'bg-accent'}`}
          style={{ width: percentageOf(used) }}
        />
        {limit < size && (
          <div
            className="absolute inset-y-0 right-0 border-l border-bad bg-bad-surface"
            style={{ left: percentageOf(limit) }}
          />
        )}
      </div>
      <dl className="flex flex-wrap gap-x-6 gap-y-1 text-sm">
        {facts.map(([name, value]) => (
          <div key={name} className="flex gap-2">
            <dt className="text-ink-2">{name}</dt>
            <dd className="numbers">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="prose-width text-sm text-ink-2">{children}</p>
    </section>
  )
}
