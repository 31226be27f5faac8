/**
 * Invalid rows, written by code that validated less. One of them must not make a whole list fail, so it is skipped and
 * published on a channel, from which logs and responses report it.
 */
import { channel } from 'node:diagnostics_channel'

/** The table of a skipped row and the invalid column; never its content. */
export interface UnreadableRow {
  readonly table: string
  readonly id: string
  readonly problem: string
}

export const unreadableRows = channel('plumbline:unreadable-rows')

class Unreadable extends Error {}

/** Maps rows, skipping invalid ones. */
export function readable<Row extends object, Value>(
  table: string,
  rows: readonly Row[],
  read: (row: Row) => Value,
): Value[] {
  return rows.flatMap((row) => {
    try {
      return [read(row)]
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      const { id, slug } = row as { id?: unknown; slug?: unknown }
      unreadableRows.publish({
        table,
        id: String(id ?? slug),
        problem: error.message,
      } satisfies UnreadableRow)
      return []
    }
  })
}

/** The time in a column. */
export function readTime(ms: number, column: string): Date {
  const time = new Date(typeof ms === 'number' ? ms : Number.NaN)
  if (Number.isNaN(time.getTime())) throw new Unreadable(`${column} is not a time`)
  return time
}

/** The finite number in a column. */
export function readNumber(value: number, column: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new Unreadable(`${column} is not a number`)
  return value
}

/** The text of a JSON column whose value passes a check. */
export function readJson(text: string, column: string, check: (value: unknown) => boolean): string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Unreadable(`${column} is not JSON`)
  }
  if (!check(value)) throw new Unreadable(`${column} has an unexpected shape`)
  return text
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
