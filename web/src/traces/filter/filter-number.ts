/** Numbers in a filter, with their typed units. Pure. */
import type { FieldKind } from './filter-fields.ts'

const units: Readonly<Partial<Record<FieldKind, Readonly<Record<string, number>>>>> = {
  duration: { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 },
  count: { k: 1000, m: 1_000_000 },
}

/** `2s` is 2000, `10k` is 10000, `$0.01` is 0.01; undefined if it is not a number. */
export function readNumber(text: string, kind: FieldKind): number | undefined {
  const [, digits = '', unit = ''] = /^\$?(-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([a-z]*)$/i.exec(text) ?? []
  const factor = unit === '' ? 1 : units[kind]?.[unit.toLowerCase()]
  const value = Number(digits) * (factor ?? Number.NaN)
  // Minus zero is written as zero.
  return digits === '' || !Number.isFinite(value) ? undefined : value + 0
}

/** As `readNumber` reads it. */
export function writeNumber(value: number, kind: FieldKind): string {
  if (kind !== 'duration') return String(value)
  return value >= 1000 && value % 1000 === 0 && value < 1e15 ? `${value / 1000}s` : `${value}ms`
}

/** The next larger number, since the API's bounds are inclusive. */
export const nextAbove = (value: number): number => step(value, 1n)
export const nextBelow = (value: number): number => -step(-value, 1n)

function step(value: number, offset: bigint): number {
  if (value === 0) return Number.MIN_VALUE
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  view.setBigInt64(0, view.getBigInt64(0) + (value > 0 ? offset : -offset))
  return view.getFloat64(0)
}
