/** An endpoint of Langfuse's public API: a translation of our operations. Endpoints have no access to HTTP. */
import type { InputOf, Operation, OutputOf, Scope } from '@plumbline/contract'
import type { Receiver } from '../ingest/otlp/receive/receiver.ts'
import type { Context } from '../requests/verb.ts'
import type { Deliveries, MakeExperiment } from './deliveries.ts'

/** Calls an operation as the caller: checked, masked, audited and limited as usual. Throws `OperationRefused`. */
export type CallOperation = <Op extends Operation>(operation: Op, input: InputOf<Op>) => Promise<OutputOf<Op>>

export interface LangfuseContext extends Context {
  readonly call: CallOperation
  /** Creates an experiment outside an operation, with the audit log entry that `experiments.create` writes. */
  readonly makeExperiment: MakeExperiment
  /** Records spans as an OpenTelemetry export. */
  readonly receive: Receiver['take']
  readonly deliveries: Deliveries
}

export interface LangfuseInput {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: unknown
}

export interface LangfuseEndpoint {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below `/api/public`. A `{name...}` may contain slashes: older clients do not escape those of folders. */
  readonly path: `/${string}`
  readonly scope: Scope
  readonly orScope?: Scope
  /** 200 if absent. */
  readonly success?: 201 | 204 | 207
  readonly handle: (input: LangfuseInput, context: LangfuseContext) => Promise<unknown>
}

/** An output whose status shows how much of the input was accepted. */
export class PartialOutput {
  readonly status: 202 | 207
  readonly body: object

  constructor(status: 202 | 207, body: object) {
    this.status = status
    this.body = body
  }
}

/** An operation rejected its input. */
export class OperationRefused extends Error {
  override readonly name = 'OperationRefused'
  readonly status: number

  constructor(status: number, sentence: string) {
    super(sentence)
    this.status = status
  }
}

/** Resolves to undefined if the operation was rejected with this status. */
export async function unless<Output>(status: number, call: Promise<Output>): Promise<Output | undefined> {
  try {
    return await call
  } catch (error) {
    if (error instanceof OperationRefused && error.status === status) return undefined
    throw error
  }
}
