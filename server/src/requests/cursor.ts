/** Where a page ended, as an opaque text: the list's name keeps a cursor from being used on another list. */
import { invalid } from '@plumbline/contract'

type Part = string | number

/** The cursor that continues a list after these key values. */
export const writeCursor = (list: string, key: readonly Part[]): string =>
  Buffer.from(JSON.stringify([list, ...key])).toString('base64url')

/** The key values of a cursor that this service gave for the same list; throws `invalid_request` for any other. */
export function readCursor(list: string, cursor: string, types: readonly ('string' | 'number')[]): Part[] {
  try {
    const [from, ...key] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown[]
    const fits = key.length === types.length && key.every((part, index) => typeof part === types[index])
    if (from === list && fits) return key as Part[]
  } catch {
    // Any text may come as a cursor; one that is no JSON is refused like one that does not fit.
  }
  throw invalid('cursor', 'must be the nextCursor of a page of this list')
}

/** A cursor of the control plane's lists, as those take it. */
export function readPageKey(
  list: string,
  cursor: string | undefined,
): { position: number; id: string } | undefined {
  if (cursor === undefined) return undefined
  const [position, id] = readCursor(list, cursor, ['number', 'string']) as [number, string]
  return { position, id }
}

/** The `nextCursor` field of an answer, absent on the last page. */
export const nextCursorOf = (
  list: string,
  next: { readonly position: number; readonly id: string } | undefined,
): { nextCursor?: string } =>
  next === undefined ? {} : { nextCursor: writeCursor(list, [next.position, next.id]) }
