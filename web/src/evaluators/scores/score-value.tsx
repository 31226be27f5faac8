import type { Score } from '@plumbline/sdk'
import { Badge } from '../../ui/badge.tsx'
import { exactNumber } from '../../ui/text/format.ts'
import { Nothing } from '../../ui/text/values.tsx'
import { labelOf } from './trends.ts'

/** A verdict: yes and no in their colours, numbers, or categories. */
export function ScoreValue({ value }: { readonly value: Score['value'] | null }) {
  if (value === null) return <Nothing />
  if (typeof value === 'boolean') return <Badge tone={value ? 'good' : 'bad'}>{labelOf(value)}</Badge>
  if (typeof value === 'number')
    return (
      <span className="numbers" title={exactNumber(value)}>
        {labelOf(value)}
      </span>
    )
  return <Badge title={value}>{value}</Badge>
}
