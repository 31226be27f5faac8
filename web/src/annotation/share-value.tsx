import type { Share } from '@plumbline/sdk'
import { formatPercent, formatScore } from '../ui/text/format.ts'
import { Nothing } from '../ui/text/values.tsx'
import { kappaLabel } from './agreement-labels.ts'

/** A share with its interval. */
export function ShareValue({ agreement }: { readonly agreement: Share }) {
  const { share, low, high, count } = agreement
  if (share === null || low === null || high === null) return <Nothing />
  return (
    <span
      className="numbers whitespace-nowrap"
      title={`${Math.round(share * count)} of ${count}; 95% interval ${formatPercent(low)} to ${formatPercent(high)}`}
    >
      {formatPercent(share)}
      <span className="ml-1.5 text-xs font-normal text-ink-3">
        {formatPercent(low)} to {formatPercent(high)}
      </span>
    </span>
  )
}

/** Agreement beyond chance, and the usual name for its degree. */
export function KappaValue({ kappa }: { readonly kappa: number | null }) {
  if (kappa === null)
    return (
      <span title="Not defined: chance alone would produce this agreement, or there is too little data">
        <Nothing />
      </span>
    )
  return (
    <span className="numbers whitespace-nowrap" title={String(kappa)}>
      {formatScore(kappa)}
      <span className="ml-1.5 font-sans text-xs font-normal text-ink-3">{kappaLabel(kappa)}</span>
    </span>
  )
}

interface FigureProps {
  readonly label: string
  readonly title?: string
  readonly children: React.ReactNode
}

/** One number with its label above it. */
export function Figure({ label, title, children }: FigureProps) {
  return (
    <div className="flex flex-col" title={title}>
      <dt className="text-xs text-ink-2">{label}</dt>
      <dd className="text-base font-medium">{children}</dd>
    </div>
  )
}
