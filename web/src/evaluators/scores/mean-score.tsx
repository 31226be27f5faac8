import { exactNumber, formatMean } from '../../ui/text/format.ts'
import { Nothing } from '../../ui/text/values.tsx'

/** A mean of scores, to three digits; yes counts 1 and no counts 0. */
export function MeanScore({ mean }: { readonly mean: number | null }) {
  if (mean === null) return <Nothing />
  return (
    <span className="numbers" title={exactNumber(mean)}>
      {formatMean(mean)}
    </span>
  )
}
