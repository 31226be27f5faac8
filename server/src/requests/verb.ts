/** What a verb is given and what it may answer with. Verbs know no HTTP. */
import type { InputOf, NeededRole, Operation, OutputOf, Role, Scope } from '@plumbline/contract'
import type { PersonSession } from '@plumbline/storage/control'
import type { EncodedJson } from '../json/encoded-json.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { EventStream, FileBytes, StreamedJson } from './responses.ts'

/** Who asks, proven by an API key or by being signed in. */
export interface Principal {
  /** Id of the API key or of the person: what it records and changes, and its limits, go by it. */
  readonly id: string
  /** What the person or the API key is called. */
  readonly name: string
  /** Undefined for an API key. */
  readonly session: PersonSession | undefined
  /** Undefined for a person who is in no workspace. */
  readonly workspaceId: string | undefined
  readonly scopes: readonly Scope[]
  /** What a person is in the workspace, and what an API key counts as where it is about people. */
  readonly role: Role
}

/** A principal of a workspace. */
export interface Caller extends Principal {
  readonly workspaceId: string
}

/** The id that is settled before a record is written, so that a retry after a crash can tell whether it was. */
export interface ClaimedIds {
  readonly traceId: string
  /** Whether an earlier attempt under the same Idempotency-Key may have stored it. */
  readonly isRetry: boolean
}

/** A body that is a file, of any length: it is read as it comes. */
export interface UploadedFile {
  /** One of those that the operation takes. */
  readonly mediaType: string
  readonly bytes: AsyncIterable<Buffer>
}

export interface Context {
  readonly workspace: Workspace
  readonly caller: Caller
  readonly now: Date
  /** The bytes of the body after decompression; empty where there is none. */
  readonly body: Buffer
  /** Only where the operation takes a file. */
  readonly file: UploadedFile | undefined
  /** Only under an Idempotency-Key. */
  readonly claimedIds: ClaimedIds | undefined
  /** The address at which the client reached the service, without a slash at its end; for the client alone. */
  readonly publicUrl: string
  /** What links begin with that are passed on to others; empty where only a path is safe. */
  readonly linkBase: string
}

/** What a verb is given whose operation is for anyone or for operators: no workspace, since the principal may be in none. */
export interface PrincipalContext extends Omit<Context, 'workspace' | 'caller'> {
  readonly caller: Principal
}

type ContextOf<Needed extends NeededRole> = Needed extends 'anyone' | 'operator' ? PrincipalContext : Context

/** One operation's doing. */
export type Verb<Op extends Operation> = (
  input: InputOf<Op>,
  context: ContextOf<Op['role']>,
) => Promise<OutputOf<Op> | EncodedJson | StreamedJson | FileBytes | EventStream>

/** An operation and what does it. */
export interface Route {
  readonly operation: Operation
  readonly verb: (input: never, context: Context) => Promise<unknown>
}

/** Ties an operation to its verb; a verb of another operation does not compile. */
export const route = <Op extends Operation>(operation: Op, verb: Verb<Op>): Route => ({ operation, verb })
