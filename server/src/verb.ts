/** What a verb is given and what it may answer with. Verbs know no HTTP. */
import type { Readable } from 'node:stream'
import type { InputOf, Operation, OutputOf, Scope } from '@plumbline/contract'
import type { EncodedJson, FileBytes, StreamedJson } from './answers.ts'
import type { Workspace } from './workspace.ts'

/** The proven holder of an API key. */
export interface Caller {
  readonly workspaceId: string
  readonly apiKeyId: string
  readonly scopes: readonly Scope[]
}

/** The id that is settled before a record is written, so that a retry after a crash can tell whether it was. */
export interface ClaimedIds {
  readonly traceId: string
  /** Whether an earlier attempt under the same Idempotency-Key may have stored it. */
  readonly isRetry: boolean
}

/** A body that is a file, of any length: it is read as it comes. */
export interface SentFile {
  /** One of those that the operation takes. */
  readonly mediaType: string
  readonly bytes: Readable
}

export interface Context {
  readonly workspace: Workspace
  readonly caller: Caller
  readonly now: Date
  /** The bytes of the body after decompression; empty where there is none. */
  readonly body: Buffer
  /** Only where the operation takes a file. */
  readonly file: SentFile | undefined
  /** Only under an Idempotency-Key. */
  readonly claimedIds: ClaimedIds | undefined
  /** The address at which the client reached the service, without a slash at its end. */
  readonly publicUrl: string
}

/** One operation's doing. */
export type Verb<Op extends Operation> = (
  input: InputOf<Op>,
  context: Context,
) => Promise<OutputOf<Op> | EncodedJson | StreamedJson | FileBytes>

/** An operation and what does it. */
export interface Route {
  readonly operation: Operation
  readonly verb: (input: never, context: Context) => Promise<unknown>
}

/** Ties an operation to its verb; a verb of another operation does not compile. */
export const route = <Op extends Operation>(operation: Op, verb: Verb<Op>): Route => ({ operation, verb })
