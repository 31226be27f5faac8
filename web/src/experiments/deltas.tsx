/** The measures of one case in one experiment, with changes from the baseline. */
import { Badge } from '../ui/badge.tsx'
import { classNames } from '../ui/class-names.ts'
import {
  exactMeasure,
  formatDelta,
  formatMeasure,
  isScore,
  judge,
  judgementClass,
  measureLabel,
} from './measures.ts'

interface DeltasProps {
  readonly values: Readonly<Record<string, number>>
  /** Standard deviations, if the case ran more than once. */
  readonly spreads: Readonly<Record<string, number>>
  readonly deltas: Readonly<Record<string, number>>
  readonly categories: Readonly<Record<string, string>>
  readonly errors: number
  readonly lowerIsBetter: (measure: string) => boolean
}

export function Deltas({ values, spreads, deltas, categories, errors, lowerIsBetter }: DeltasProps) {
  const entries = Object.entries(values)
    .filter(([name]) => name !== 'tokens')
    .sort(([a], [b]) => Number(isScore(b)) - Number(isScore(a)))
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-0.5 text-xs">
      {errors > 0 && <Badge tone="bad">Failed</Badge>}
      {entries.map(([name, value]) => {
        const delta = deltas[name]
        const spread = spreads[name]
        return (
          <span
            key={name}
            className="whitespace-nowrap"
            title={`${measureLabel(name)} ${exactMeasure(name, value)}${spread === undefined ? '' : `, standard deviation ${exactMeasure(name, spread)}`}`}
          >
            {isScore(name) && <span className="text-ink-3">{measureLabel(name)} </span>}
            <span className="numbers">{formatMeasure(name, value)}</span>
            {spread !== undefined && (
              <span className="numbers text-ink-3"> ± {formatMeasure(name, spread)}</span>
            )}
            {delta !== undefined && delta !== 0 && (
              <span className={classNames('numbers ml-1', judgementClass[judge(delta, lowerIsBetter(name))])}>
                {formatDelta(name, delta)}
              </span>
            )}
          </span>
        )
      })}
      {Object.entries(categories).map(([name, text]) => (
        <span key={name} className="max-w-48 truncate" title={`${name}: ${text}`}>
          <span className="text-ink-3">{name} </span>
          {text}
        </span>
      ))}
    </span>
  )
}
