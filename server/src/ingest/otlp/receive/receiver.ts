/** Shared by the HTTP and gRPC ports: authenticates exporters and accepts their exports. */
import { ServiceError } from '@plumbline/contract'
import { allows } from '../../../requests/allows.ts'
import type { Caller } from '../../../requests/verb.ts'
import type { Workspace } from '../../../workspace/workspace.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { acceptExport } from './accept.ts'
import type { PartialSuccess, Signal } from './protobuf.ts'
import type { Encoding } from './read-export.ts'

/** Where exporters send the key. */
export interface Credentials {
  readonly authorization: string | undefined
  /** Sent by exporters that cannot set `authorization`. */
  readonly apiKey: string | undefined
}

export interface Receiver {
  /** Authenticates the caller; throws the same errors as all other routes. */
  admit(credentials: Credentials, now: Date): Promise<Caller>
  /** Accepts an export; resolves once it is durable. */
  take(
    message: { readonly signal: Signal; readonly encoding: Encoding; readonly body: Buffer },
    caller: Caller,
    now: Date,
  ): Promise<PartialSuccess>
  /** Counts a rejected export in the ledger. */
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
      const credentials = authorization ?? (apiKey === undefined ? undefined : `Bearer ${apiKey}`)
      const caller = await authenticator.authenticate(credentials, now.getTime())
      checkRate(caller.id, now.getTime())
      if (!allows(caller.scopes, 'ingest'))
        throw new ServiceError('forbidden', { problem: 'This API key lacks the scope "ingest".' })
      return caller
    },
    take: (message, caller, now) => {
      const { cache, recorder } = workspaceOf(caller.workspaceId)
      return acceptExport({ ...message, caller, receivedAt: now }, { cache, recorder, ledger })
    },
    refuse: (caller, error, now) => ledger.addRefused(caller, error.code, noBytes, now),
  }
}
