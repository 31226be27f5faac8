import { Link, type LinkProps } from '@tanstack/react-router'
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { Skeleton } from '../ui/skeleton.tsx'
import { deltaOf, formatChange } from './make-series.ts'

interface FigureTileProps {
  readonly label: string
  /** Undefined while loading. */
  readonly value: number | null | undefined
  readonly before: number | null | undefined
  readonly show: (value: number | null) => ReactNode
  readonly format: (value: number) => string
  /** Whether an increase is good or bad; neither if it depends. */
  readonly more?: 'good' | 'bad'
  readonly hint?: ReactNode
  /** Opens the traces behind the figure. */
  readonly search: LinkProps['search']
}

/** One figure of the range, its change from the previous period, and a link to the traces behind it. */
export function FigureTile({ label, value, before, show, format, more, hint, search }: FigureTileProps) {
  return (
    <div className="relative grid min-w-0 grid-cols-[1fr_auto] gap-x-2 rounded border border-line p-3 hover:bg-hover">
      <dt className="truncate text-xs text-ink-3">
        <Link to="/traces" search={search} className="before:absolute before:inset-0">
          {label}
        </Link>
      </dt>
      <dd>
        <Delta now={value} before={before} more={more} format={format} />
      </dd>
      <dd className="col-span-2 mt-1 h-7 truncate text-title font-semibold [&_.numbers]:font-sans [&_.numbers]:text-title">
        {value === undefined ? <Skeleton className="h-7 w-16" /> : show(value)}
      </dd>
      <dd className="col-span-2 mt-0.5 h-4 truncate text-2xs text-ink-3">{hint}</dd>
    </div>
  )
}

type DeltaProps = Pick<FigureTileProps, 'before' | 'more' | 'format'> & {
  readonly now: number | null | undefined
}

/** Differences below this share are ignored. */
const noticeableChange = 0.0005

export function Delta({ now, before, more, format }: DeltaProps) {
  const delta = deltaOf(now ?? null, before ?? null)
  if (delta === undefined || Math.abs(delta) < noticeableChange) return null
  const isMore = delta > 0
  const Arrow = isMore ? ArrowUp : ArrowDown
  const tone = more === undefined ? 'text-ink-3' : isMore === (more === 'good') ? 'text-good' : 'text-bad'
  const description = `${formatChange(delta)} ${isMore ? 'more' : 'less'} than the previous period: ${format(before ?? 0)}`
  return (
    <span title={description} className={`flex items-center text-xs ${tone}`}>
      <Arrow aria-hidden size={12} />
      <span aria-hidden>{formatChange(delta)}</span>
      <span className="sr-only">{description}</span>
    </span>
  )
}
