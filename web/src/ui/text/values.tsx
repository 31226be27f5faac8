/** Displayed numbers and times: short, with details on hover. */
import { createContext, useContext, useEffect, useMemo, useState } from 'react'
import { useRemembered } from '../storage/remembered.ts'
import {
  exactInstant,
  exactNumber,
  formatCount,
  formatDuration,
  formatInstant,
  formatMoney,
  formatRelative,
  formatTokens,
  nothing,
} from './format.ts'
import { deviceTimeZone } from './time-zone.ts'

/**
 * A missing value in tables, cards and details alike. Zero is not missing. An entirely empty section has a sentence
 * instead. Tables render it in empty cells.
 */
export const Nothing = () => <span className="numbers text-ink-3">{nothing}</span>

interface NumberProps {
  /** A missing value is shown as a dash. */
  readonly value: number | null | undefined
  /** An estimate is marked with `~`. */
  readonly isEstimate?: boolean
  /** Half the width of the 95% confidence interval of an estimate. */
  readonly marginOfError?: number
}

const numberValue = (format: (value: number) => string, exact: (value: number) => string) =>
  function Value({ value, marginOfError, isEstimate = marginOfError !== undefined }: NumberProps) {
    if (value === null || value === undefined) return <Nothing />
    const margin = marginOfError === undefined ? '' : ` ± ${exact(marginOfError)}`
    const title = isEstimate ? `${exact(value)}${margin}, estimated` : exact(value)
    return (
      <span className="numbers whitespace-nowrap" title={title}>
        {isEstimate && '~'}
        {format(value)}
      </span>
    )
  }

export const Money = numberValue(formatMoney, (usd) => `$${exactNumber(usd)}`)
export const Duration = numberValue(formatDuration, (ms) => `${exactNumber(ms)} ms`)
export const Tokens = numberValue(formatTokens, (count) => `${exactNumber(count)} tokens`)
/** Total tokens: no model call has 0, so 0 means a trace, a user or a session without calls. */
export const TokenSum = ({ value, isEstimate }: NumberProps) => (
  <Tokens value={value || null} {...(isEstimate !== undefined && { isEstimate })} />
)
export const Count = numberValue(formatCount, exactNumber)
/** All digits, for the ledger, where a difference of one must be visible. */
export const ExactCount = numberValue(exactNumber, exactNumber)

/** Whether times are shown in UTC, as the user chose. */
export function useUtc(): [boolean, (isUtc: boolean) => void] {
  const [zone, setZone] = useRemembered('zone', 'local')
  return [zone === 'utc', (isUtc) => setZone(isUtc ? 'utc' : 'local')]
}

/** The time zone of chart days: this device's, or UTC if the user chose it. */
export function useTimeZone(): string {
  const [isUtc] = useUtc()
  return useMemo(() => (isUtc ? 'UTC' : deviceTimeZone()), [isUtc])
}

const NowContext = createContext<Date | undefined>(undefined)

/** One clock for all relative times of the page, so that a table of a thousand has one timer. */
export function ClockProvider({ children }: { readonly children: React.ReactNode }) {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 10_000)
    return () => clearInterval(timer)
  }, [])
  return <NowContext value={now}>{children}</NowContext>
}

/** Now, to 10 seconds. */
export const useNow = (): Date => {
  const now = useContext(NowContext)
  if (now === undefined) throw new Error('useNow needs a ClockProvider above it.')
  return now
}

interface TimeProps {
  /** ISO 8601. */
  readonly time: string | null | undefined
}

/** `2 min ago`; the exact instant in both zones on hover. */
export function RelativeTime({ time }: TimeProps) {
  const now = useNow()
  const [isUtc] = useUtc()
  if (time === null || time === undefined) return <Nothing />
  const instant = new Date(time)
  // Times after the clock's last tick count as now.
  const until = instant > now && instant.getTime() - now.getTime() < 15_000 ? instant : now
  return (
    <time dateTime={time} title={exactInstant(instant)} className="whitespace-nowrap">
      {formatRelative(instant, until, isUtc)}
    </time>
  )
}

/** The exact instant, in local time or UTC as the user chose. */
export function ExactTime({ time }: TimeProps) {
  const [isUtc] = useUtc()
  if (time === null || time === undefined) return <Nothing />
  const instant = new Date(time)
  return (
    <time dateTime={time} title={exactInstant(instant)} className="numbers whitespace-nowrap">
      {formatInstant(instant, isUtc).replace(/\.000$/, '')}
    </time>
  )
}
