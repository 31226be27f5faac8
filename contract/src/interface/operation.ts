import type { Static, TObject, TSchema } from 'typebox'
import type { ErrorCode } from './errors.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/**
 * The scopes of API keys. `manage` implies `read`. `operate` copies and replaces whole workspaces; no other
 * scope implies it, and it implies no other.
 */
export const scopes = ['ingest', 'read', 'manage', 'operate'] as const
export type Scope = (typeof scopes)[number]

/** The roles of people in a workspace, from the least to the most powerful. */
export const roles = ['viewer', 'editor', 'admin', 'owner'] as const
export type Role = (typeof roles)[number]

/** The role that corresponds to each scope: an operation that needs the scope never needs a higher role. */
export const roleOfScope = {
  ingest: 'editor',
  read: 'viewer',
  manage: 'admin',
  operate: 'owner',
} as const satisfies Record<Scope, Role>

/**
 * The minimum role that an operation requires. `anyone` who is signed in may call it, even without a workspace. An
 * `operator` is an owner of the first workspace, whichever workspace the request is for.
 */
export type NeededRole = Role | 'anyone' | 'operator'

/**
 * One operation of the interface.
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
  /** What else its users need to know, one point each. */
  readonly notes?: readonly string[]
  /** The scope that a key needs; null if only people may call it. */
  readonly scope: Scope | null
  /** Another scope that suffices. */
  readonly orScope?: Scope
  /** The minimum role that a person needs. */
  readonly role: Needed
  readonly input: Input
  readonly success: 200 | 201 | 204
  /** Null if the response has no body. */
  readonly output: Output
  /** The errors of this operation, beyond those that all operations share. */
  readonly errors: readonly ErrorCode[]
  /** Whether the response holds a secret that is shown once: it is stored for retries, but only encrypted. */
  readonly secretOutput?: true
  /**
   * How the audit log treats it, if its method does not decide: by default, every operation except a GET has an entry. A
   * `sensitive read` has one too. `recording` has none, since the ledger counts it, and neither has `nothing lasting`, such
   * as a dry run or a reservation.
   */
  readonly audit?: 'sensitive read' | 'recording' | 'nothing lasting'
  /** Media types of a body that is a file. It may have any length, and all input is in the path. JSON if absent. */
  readonly takes?: readonly string[]
  /** Whether it records traces: the workspace's ledger counts its rejected and repeated requests. */
  readonly isRecording?: true
  /**
   * Set on the operations that other servers implement too, whose clients may send query parameters of their own. All other
   * operations reject unknown ones.
   */
  readonly ignoresUnknownQuery?: true
  /** Set if it changes what people edit and its scope does not imply that. */
  readonly editsWorkspace?: true
}

/** Defines an operation, preserving the types of its schemas. */
export const operation = <
  const Input extends TObject,
  const Output extends TSchema | null,
  const Needed extends NeededRole,
>(
  definition: Operation<Input, Output, Needed>,
): Operation<Input, Output, Needed> => definition

export type InputOf<Op extends Operation> = Static<Op['input']>
export type OutputOf<Op extends Operation> = Op['output'] extends TSchema ? Static<Op['output']> : undefined

/** The fields in the braces of a path template: `/prompts/{slug}` gives `['slug']`. */
export const pathFields = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)

/**
 * Fills the braces of a path template. Throws `TypeError` for a value that no URL can carry: an empty segment leads to
 * another route, and every URL parser treats `.` and `..` as relative steps, escaped or not.
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

/** Whether an operation changes what people edit, so that cached copies become stale. */
export const editsWorkspace = ({ method, scope, editsWorkspace: isStated }: Operation): boolean =>
  isStated === true || (method !== 'GET' && (scope === 'manage' || scope === 'operate'))

/** Whether the response is an event stream, which cannot be replayed. */
export const isEventStream = ({ output }: Pick<Operation, 'output'>): boolean =>
  output !== null && 'contentMediaType' in output && output.contentMediaType === 'text/event-stream'

/** The errors of every operation. */
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

/** The errors of every operation with a JSON body. */
export const bodyErrors: readonly ErrorCode[] = [
  'malformed_json',
  'malformed_encoding',
  'body_too_large',
  'unsupported_media_type',
  'unsupported_encoding',
]

/** The errors of every operation whose body is a file. */
const fileErrors: readonly ErrorCode[] = [
  'malformed_encoding',
  'unsupported_media_type',
  'unsupported_encoding',
]

/** Whether an operation has a JSON body. */
export const takesJson = ({ method, takes }: Pick<Operation, 'method' | 'takes'>): boolean =>
  !inputTravelsInQuery(method) && takes === undefined

/** The errors that the body of an operation can cause. */
export function errorsOfBody({ method, takes }: Pick<Operation, 'method' | 'takes'>): readonly ErrorCode[] {
  if (inputTravelsInQuery(method)) return []
  return takes === undefined ? bodyErrors : fileErrors
}
