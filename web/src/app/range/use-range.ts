import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useNow } from '../../ui/text/values.tsx'
import { workspaceRoute } from '../root-route.ts'
import { type Range, rangeBetween, readRange } from './range.ts'

/** The selected time range, and how to change it: with a preset's text, or two instants. */
export function useRange(): {
  readonly range: Range
  readonly setRange: (range: string | readonly [Date, Date]) => void
} {
  const { range: text } = workspaceRoute.useSearch()
  const navigate = useNavigate()
  const now = useNow()
  const minute = Math.floor(now.getTime() / 60_000)
  const range = useMemo(() => readRange(text, new Date(minute * 60_000)), [text, minute])
  const setRange = (next: string | readonly [Date, Date]): void => {
    const nextText = typeof next === 'string' ? next : rangeBetween(...next)
    void navigate({ to: '.', search: (search) => ({ ...search, range: nextText }) })
  }
  return { range, setRange }
}

/** The range as operations accept it. */
export const rangeInput = ({
  from,
  to,
}: Pick<Range, 'from' | 'to'>): { readonly from: string; readonly to?: string } => ({
  from: from.toISOString(),
  ...(to && { to: to.toISOString() }),
})
