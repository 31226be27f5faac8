/** What both ports of OpenTelemetry share: who may send, and what becomes of an export. */
import { ServiceError } from '@plumbline/contract'
import { allows } from '../keys/allows.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Caller } from '../verb.ts'
import type { Workspace } from '../workspace.ts'
import { acceptExport } from './accept.ts'
import type { PartialSuccess, Signal } from './protobuf.ts'
import type { Encoding } from './read-export.ts'

/** Where exporters put the key. */
export interface Credentials {
  readonly authorization: string | undefined
  /** What exporters that can set no `authorization` send in its place. */
  readonly apiKey: string | undefined
}

export interface Receiver {
  /** The caller; throws what every other route throws. */
  admit(credentials: Credentials, now: Date): Promise<Caller>
  /** Takes an export once it is durable. */
  take(
    sent: { readonly signal: Signal; readonly encoding: Encoding; readonly body: Buffer },
    caller: Caller,
    now: Date,
  ): Promise<PartialSuccess>
  /** Tells the ledger of an export that was refused. */
  refuse(caller: Caller, error: ServiceError, now: Date): void
}

interface ReceiverParts {
  readonly authenticator: {
    authenticate(authorization: string | undefined, nowMs: number): Caller | Promise<Caller>
  }
  readonly checkRate: (apiKeyId: string, nowMs: number) => void
  readonly workspaceOf: (workspaceId: string) => Workspace
  readonly ledger: Ledger
}

const noBytes = Buffer.alloc(0)

export function makeReceiver({ authenticator, checkRate, workspaceOf, ledger }: ReceiverParts): Receiver {
  return {
    async admit({ authorization, apiKey }, now) {
      const said = authorization ?? (apiKey === undefined ? undefined : `Bearer ${apiKey}`)
      const caller = await authenticator.authenticate(said, now.getTime())
      checkRate(caller.id, now.getTime())
      if (!allows(caller.scopes, 'ingest'))
        throw new ServiceError('forbidden', { problem: 'This API key lacks the scope "ingest".' })
      return caller
    },
    take: (sent, caller, now) => {
      const { catalogue, recorder } = workspaceOf(caller.workspaceId)
      return acceptExport({ ...sent, caller, receivedAt: now }, { catalogue, recorder, ledger })
    },
    refuse: (caller, error, now) => ledger.addRefused(caller, error.code, noBytes, now),
  }
}
