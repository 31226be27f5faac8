import type { Static, TObject, TSchema } from 'typebox'
import type { ErrorCode } from './errors.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/**
 * What an API key may be allowed to do. `manage` implies `read`. `operate` copies and replaces whole workspaces; no other
 * scope implies it, and it implies no other.
 */
export const scopes = ['ingest', 'read', 'manage', 'operate'] as const
export type Scope = (typeof scopes)[number]

/** What a person may be in a workspace, from the least to the most. */
export const roles = ['viewer', 'editor', 'admin', 'owner'] as const
export type Role = (typeof roles)[number]

/** The role of a person with the power of each scope: an operation that a key may call never needs a higher one. */
export const roleOfScope = {
  ingest: 'editor',
  read: 'viewer',
  manage: 'admin',
  operate: 'owner',
} as const satisfies Record<Scope, Role>

/**
 * The least role that an operation asks of a person; `anyone` is signed in, in a workspace or in none. An `operator` is
 * an owner of the first workspace, whichever workspace the request is about.
 */
export type NeededRole = Role | 'anyone' | 'operator'

/**
 * One operation of the interface, named once.
 *
 * `input` holds path, query and body fields alike: those in `path` braces are taken from the path, the rest
 * from the query of GET and DELETE and from the JSON body of the other methods.
 */
export interface Operation<
  Input extends TObject = TObject,
  Output extends TSchema | null = TSchema | null,
  Needed extends NeededRole = NeededRole,
> {
  /** Two plain words, such as `prompts.get`. */
  readonly name: string
  readonly method: Method
  readonly path: `/${string}`
  /** What it does, in a sentence or two, for the reference and the OpenAPI document. */
  readonly summary: string
  /** What else its users need to know, a point each. */
  readonly notes?: readonly string[]
  /** The scope that a key needs; null where only people may. */
  readonly scope: Scope | null
  /** Another scope that is enough. */
  readonly orScope?: Scope
  /** The least role that a person needs. */
  readonly role: Needed
  readonly input: Input
  readonly success: 200 | 201 | 204
  /** Null where the answer has no body. */
  readonly output: Output
  /** What can fail here beyond what every operation shares. */
  readonly errors: readonly ErrorCode[]
  /** Whether the response holds a secret that is shown once: it is stored, for a retry, encrypted only. */
  readonly secretOutput?: true
  /**
   * What the audit log has of it, where its method does not say: by default it has whatever is no GET. `sensitive read` is
   * in it too. `recording` is not, since the ledger counts it, and neither is `nothing lasting`: a dry run, a reservation.
   */
  readonly audit?: 'sensitive read' | 'recording' | 'nothing lasting'
  /** Media types of a body that is a file: it may have any length, and all of the input is in the path. JSON if absent. */
  readonly takes?: readonly string[]
  /** Whether it records traces: the ledger of the workspace counts its refused and repeated requests. */
  readonly isRecording?: true
  /**
   * Set on the operations of the interface that many servers speak: its clients may send query parameters of their own. All
   * others refuse an unknown one.
   */
  readonly ignoresUnknownQuery?: true
  /** Set where it changes what people edit and its scope does not say so. */
  readonly editsWorkspace?: true
}

/** States one operation; it keeps the schemas' types. */
export const operation = <
  const Input extends TObject,
  const Output extends TSchema | null,
  const Needed extends NeededRole,
>(
  definition: Operation<Input, Output, Needed>,
): Operation<Input, Output, Needed> => definition

export type InputOf<Op extends Operation> = Static<Op['input']>
export type OutputOf<Op extends Operation> = Op['output'] extends TSchema ? Static<Op['output']> : undefined

/** The fields that a path template takes from the address: `/prompts/{slug}` gives `['slug']`. */
export const pathFields = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)

/**
 * The address of a path template and the fields in its braces. Throws `TypeError` for a value that no address can carry:
 * an empty segment leads to another route, and every URL parser takes `.` and `..` for steps, escaped or not.
 */
export const fillPath = (path: string, fields: Readonly<Record<string, unknown>>): string =>
  path.replace(/\{(\w+)\}/g, (_braces, name: string) => {
    const text = String(fields[name] ?? '')
    if (text === '' || text === '.' || text === '..' || !text.isWellFormed())
      throw new TypeError(`${name}: must not be empty, "." or "..", and must be legal Unicode`)
    return encodeURIComponent(text)
  })

/** Whether the fields outside the path travel in the query. */
export const inputTravelsInQuery = (method: Method): boolean => method === 'GET' || method === 'DELETE'

/** Whether an operation changes what people edit: whoever holds a copy of it must read it again. */
export const editsWorkspace = ({ method, scope, editsWorkspace: isStated }: Operation): boolean =>
  isStated === true || (method !== 'GET' && (scope === 'manage' || scope === 'operate'))

/** Whether the response is told as it happens, so that it cannot be sent again. */
export const isEventStream = ({ output }: Pick<Operation, 'output'>): boolean =>
  output !== null && 'contentMediaType' in output && output.contentMediaType === 'text/event-stream'

/** What can fail at any operation, whatever it does. */
export const sharedErrors: readonly ErrorCode[] = [
  'unauthorized',
  'forbidden',
  'rate_limited',
  'internal',
  'unavailable',
  'store_damaged',
  'store_full',
  'query_too_slow',
  'query_too_large',
]

/** What can fail at any operation that takes a body. */
export const bodyErrors: readonly ErrorCode[] = [
  'malformed_json',
  'malformed_encoding',
  'body_too_large',
  'unsupported_media_type',
  'unsupported_encoding',
]

/** What can fail at any operation that takes a file. */
const fileErrors: readonly ErrorCode[] = [
  'malformed_encoding',
  'unsupported_media_type',
  'unsupported_encoding',
]

/** Whether an operation takes a JSON body. */
export const takesJson = ({ method, takes }: Pick<Operation, 'method' | 'takes'>): boolean =>
  !inputTravelsInQuery(method) && takes === undefined

/** What can fail at an operation because of how its body comes. */
export function errorsOfBody({ method, takes }: Pick<Operation, 'method' | 'takes'>): readonly ErrorCode[] {
  if (inputTravelsInQuery(method)) return []
  return takes === undefined ? bodyErrors : fileErrors
}
