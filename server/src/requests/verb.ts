/** What a verb receives and what it may return. Verbs know nothing about HTTP. */
import type { InputOf, NeededRole, Operation, OutputOf, Role, Scope } from '@plumbline/contract'
import type { PersonSession } from '@plumbline/storage/control'
import type { EncodedJson } from '../json/encoded-json.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { EventStream, FileBytes, StreamedJson } from './responses.ts'

/** The authenticated sender of a request: an API key or a signed-in user. */
export interface Principal {
  /** The id of the API key or user, for rate limits and as the author of changes and records. */
  readonly id: string
  /** The name of the user or API key. */
  readonly name: string
  /** Undefined for an API key. */
  readonly session: PersonSession | undefined
  /** Undefined for a user in no workspace. */
  readonly workspaceId: string | undefined
  readonly scopes: readonly Scope[]
  /** The user's role in the workspace, or the equivalent role of an API key for operations that need one. */
  readonly role: Role
}

/** A principal in a workspace. */
export interface Caller extends Principal {
  readonly workspaceId: string
}

/** The id that is fixed before a record is written, so that a retry after a crash can tell whether it was stored. */
export interface ClaimedIds {
  readonly traceId: string
  /** Whether an earlier attempt under the same Idempotency-Key may have stored it. */
  readonly isRetry: boolean
}

/** A body that is a file of any length, read as it arrives. */
export interface UploadedFile {
  /** One of the operation's accepted types. */
  readonly mediaType: string
  readonly bytes: AsyncIterable<Buffer>
}

export interface Context {
  readonly workspace: Workspace
  readonly caller: Caller
  readonly now: Date
  /** The bytes of the body after decompression; empty if there is none. */
  readonly body: Buffer
  /** Only if the operation accepts a file. */
  readonly file: UploadedFile | undefined
  /** Only under an Idempotency-Key. */
  readonly claimedIds: ClaimedIds | undefined
  /** The URL at which the client reached the service, without a trailing slash; only for responses to that client. */
  readonly publicUrl: string
  /** The base of links that are passed on to others; empty if only a path is safe. */
  readonly linkBase: string
}

/** The context of operations for anyone or for operators: no workspace, since the principal may be in none. */
export interface PrincipalContext extends Omit<Context, 'workspace' | 'caller'> {
  readonly caller: Principal
}

type ContextOf<Needed extends NeededRole> = Needed extends 'anyone' | 'operator' ? PrincipalContext : Context

/** The implementation of one operation. */
export type Verb<Op extends Operation> = (
  input: InputOf<Op>,
  context: ContextOf<Op['role']>,
) => Promise<OutputOf<Op> | EncodedJson | StreamedJson | FileBytes | EventStream>

/** An operation with its verb. */
export interface Route {
  readonly operation: Operation
  readonly verb: (input: never, context: Context) => Promise<unknown>
}

/** Pairs an operation with its verb; a verb of another operation does not compile. */
export const route = <Op extends Operation>(operation: Op, verb: Verb<Op>): Route => ({ operation, verb })
