/** The end of a page, as an opaque string: the list's name keeps a cursor from being used for another list. */
import { invalid } from '@plumbline/contract'
import { uuidPattern } from '@plumbline/contract/uuids'

interface PartTypes {
  readonly text: string
  readonly uuid: string
  /** One that a double can represent. */
  readonly integer: number
  /** A position in a list, from 0. */
  readonly index: number
  /** A signed 64-bit number. */
  readonly bigint: bigint
  readonly 'bigint or null': bigint | null
  /** An unsigned 64-bit number. */
  readonly hash: bigint
}
type PartType = keyof PartTypes
type Parts<Types extends readonly PartType[]> = { -readonly [Index in keyof Types]: PartTypes[Types[Index]] }

/** The cursor that continues a list after these key values. */
export const writeCursor = (list: string, key: readonly PartTypes[PartType][]): string =>
  Buffer.from(
    JSON.stringify([list, ...key.map((part) => (typeof part === 'bigint' ? String(part) : part))]),
  ).toString('base64url')

/** The key values of a cursor that was written for the same list; throws `invalid_request` for any other. */
export function readCursor<const Types extends readonly PartType[]>(
  list: string,
  cursor: string,
  types: Types,
): Parts<Types> {
  try {
    const [from, ...key] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown[]
    const parts = key.flatMap((part, index) => readPart(part, types[index]) ?? [])
    // Safe: each part was read by its type; `null` is one of them.
    if (from === list && key.length === types.length && parts.length === types.length)
      return parts.map(({ value }) => value) as Parts<Types>
  } catch {
    // Any text may arrive as a cursor; invalid JSON is refused like an unsuitable cursor.
  }
  throw invalid('cursor', 'must be the nextCursor of a page of this list')
}

/** Undefined if the part does not have this type. */
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

/** A cursor for the control plane's lists, in their format. */
export function readPageKey(
  list: string,
  cursor: string | undefined,
): { position: number; id: string } | undefined {
  if (cursor === undefined) return undefined
  const [position, id] = readCursor(list, cursor, ['integer', 'text'])
  return { position, id }
}

/** The `nextCursor` field of a response, absent on the last page. */
export const nextCursorOf = (
  list: string,
  next: { readonly position: number; readonly id: string } | undefined,
): { nextCursor?: string } =>
  next === undefined ? {} : { nextCursor: writeCursor(list, [next.position, next.id]) }
