/** Where a page ended, as an opaque text: the list's name keeps a cursor from being used on another list. */
import { invalid } from '@plumbline/contract'
import { uuidPattern } from '@plumbline/contract/uuids'

interface PartTypes {
  readonly text: string
  readonly uuid: string
  /** One that a double holds. */
  readonly integer: number
  /** A place in a list, from 0 on. */
  readonly index: number
  /** One of 64 bits. */
  readonly bigint: bigint
  readonly 'bigint or null': bigint | null
  /** One of 64 bits without a sign. */
  readonly hash: bigint
}
type PartType = keyof PartTypes
type Parts<Types extends readonly PartType[]> = { -readonly [Index in keyof Types]: PartTypes[Types[Index]] }

/** The cursor that continues a list after these key values. */
export const writeCursor = (list: string, key: readonly PartTypes[PartType][]): string =>
  Buffer.from(
    JSON.stringify([list, ...key.map((part) => (typeof part === 'bigint' ? String(part) : part))]),
  ).toString('base64url')

/** The key values of a cursor that this service gave for the same list; throws `invalid_request` for any other. */
export function readCursor<const Types extends readonly PartType[]>(
  list: string,
  cursor: string,
  types: Types,
): Parts<Types> {
  try {
    const [from, ...key] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown[]
    const parts = key.flatMap((part, index) => readPart(part, types[index]) ?? [])
    // Safe: each part was read by its type; `null` is one.
    if (from === list && key.length === types.length && parts.length === types.length)
      return parts.map(({ value }) => value) as Parts<Types>
  } catch {
    // Any text may come as a cursor; one that is no JSON is refused like one that does not fit.
  }
  throw invalid('cursor', 'must be the nextCursor of a page of this list')
}

/** Undefined for what has not this type. */
function readPart(part: unknown, type: PartType | undefined): { readonly value: unknown } | undefined {
  const has = (isOfType: boolean, value: unknown = part) => (isOfType ? { value } : undefined)
  switch (type) {
    case 'text':
      return has(typeof part === 'string')
    case 'uuid':
      return has(typeof part === 'string' && uuidPattern.test(part))
    case 'integer':
      return has(Number.isSafeInteger(part))
    case 'index':
      return has(Number.isSafeInteger(part) && Number(part) >= 0)
    case 'bigint or null':
      return part === null ? { value: null } : readPart(part, 'bigint')
    case 'bigint':
    case 'hash': {
      if (typeof part !== 'string' || !/^-?\d+$/.test(part)) return undefined
      const value = BigInt(part)
      return has(value === (type === 'hash' ? BigInt.asUintN(64, value) : BigInt.asIntN(64, value)), value)
    }
    default:
      return undefined
  }
}

/** A cursor of the control plane's lists, as those take it. */
export function readPageKey(
  list: string,
  cursor: string | undefined,
): { position: number; id: string } | undefined {
  if (cursor === undefined) return undefined
  const [position, id] = readCursor(list, cursor, ['integer', 'text'])
  return { position, id }
}

/** The `nextCursor` field of an answer, absent on the last page. */
export const nextCursorOf = (
  list: string,
  next: { readonly position: number; readonly id: string } | undefined,
): { nextCursor?: string } =>
  next === undefined ? {} : { nextCursor: writeCursor(list, [next.position, next.id]) }
