/**
 * Rows that cannot be read: they were written by something that checked less. One of them must not keep the others from
 * being read, so it is left out, and whoever subscribes to the channel is told, which is how logs and answers say so.
 */
import { channel } from 'node:diagnostics_channel'

/** Of which table a row was left out, and which column is at fault; never what it holds. */
export interface UnreadableRow {
  readonly table: string
  readonly id: string
  readonly problem: string
}

export const unreadableRows = channel('plumbline:unreadable-rows')

class Unreadable extends Error {}

/** What rows say, without those that cannot be read. */
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

/** A time of a column. */
export function readTime(ms: number, column: string): Date {
  const time = new Date(typeof ms === 'number' ? ms : Number.NaN)
  if (Number.isNaN(time.getTime())) throw new Unreadable(`${column} is no time`)
  return time
}

/** A finite number of a column. */
export function readNumber(value: number, column: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new Unreadable(`${column} is no number`)
  return value
}

/** The text of a JSON column that passes a check of what it holds. */
export function readJson(text: string, column: string, check: (value: unknown) => boolean): string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Unreadable(`${column} is no JSON`)
  }
  if (!check(value)) throw new Unreadable(`${column} has another shape`)
  return text
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
