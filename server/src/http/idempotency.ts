/**
 * `Idempotency-Key`: a retry within 24 hours, or the days that the workspace has set, gets the first response and stores
 * nothing twice.
 *
 * The key is claimed in the control plane before anything is written, together with the ids that a record will get. If a
 * crash happens between the write and its response, the retry therefore writes under the same ids, or finds them already
 * stored.
 */
import { hash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { invalid, type Operation, pathFields, ServiceError } from '@plumbline/contract'
import type {
  EarlierRequest,
  NewClaim,
  RequestKey,
  RetentionRules,
  WorkspaceControlStore,
} from '@plumbline/storage/control'
import { parseJsonText } from '@plumbline/storage/parse-json-text'
import { newId } from '../id.ts'
import { responseCutoff } from '../requests/response-retention.ts'
import type { Caller, ClaimedIds } from '../requests/verb.ts'
import type { Keyring } from '../secrets/keyring.ts'

/** How often to check for the response of a request that another node is processing, and for how long. */
const otherNodePollMs = 50
const otherNodeTimeoutMs = 10_000

/** Stored for a response without a body. */
const noBody = ''

interface Attempt {
  readonly caller: Caller
  readonly operation: Operation
  /** The path parameters of the URL. */
  readonly params: unknown
  readonly key: string | string[]
  readonly body: Buffer | undefined
  readonly now: Date
}

export interface Idempotency {
  /** Runs `act`, unless an earlier attempt was answered; then returns that response. Only successes are stored. */
  once(attempt: Attempt, act: (claimedIds: ClaimedIds) => Promise<unknown>): Promise<unknown>
}

interface IdempotencyParts {
  readonly storeOf: (workspaceId: string) => ClaimStore
  readonly rulesOf: (workspaceId: string) => Promise<Pick<RetentionRules, 'idempotencyDays'>>
  /** Called for every retry that got an earlier response. */
  readonly onRepeated: (caller: Caller, operation: Operation, time: Date) => void
  /** Whether other processes share the control plane. */
  readonly isShared: boolean
  /** Seals responses that contain a secret: neither the table nor a backup has one in plain text. */
  readonly responses: Keyring
}

type ClaimStore = WorkspaceControlStore['idempotency']

export function makeIdempotency({
  storeOf,
  rulesOf,
  onRepeated,
  isShared,
  responses,
}: IdempotencyParts): Idempotency {
  const underWay = new Map<string, Promise<unknown>>()

  /** The installation's secret may have changed since, or another node may have a different one. */
  const openResponse = (sealedText: string, { caller, key }: Attempt): string => {
    try {
      return responses.open(sealedText, caller.workspaceId)
    } catch (cause) {
      throw new ServiceError('idempotent_response_lost', { key: String(key) }, { cause })
    }
  }

  const attemptOnce = async (
    attempt: Attempt,
    requestKey: RequestKey,
    act: (ids: ClaimedIds) => Promise<unknown>,
  ): Promise<unknown> => {
    const { caller, operation, now } = attempt
    const store = storeOf(caller.workspaceId)
    const bodyHash = hash('sha256', attempt.body ?? Buffer.alloc(0))
    const traceId = newId(now)
    const retention = { now, rules: () => rulesOf(caller.workspaceId) }
    const earlier = await claim(store, { ...requestKey, bodyHash, traceId }, retention, isShared)
    if (earlier !== undefined && earlier.bodyHash !== bodyHash)
      throw new ServiceError('idempotency_conflict', { key: requestKey.key })
    if (earlier?.answer !== undefined) {
      onRepeated(caller, operation, now)
      const { body } = earlier.answer
      if (body === noBody) return undefined
      return parseJsonText(operation.secretOutput ? openResponse(body, attempt) : body)
    }
    let answer: unknown
    try {
      answer = await act({ traceId: earlier?.traceId ?? traceId, isRetry: earlier !== undefined })
    } catch (error) {
      await store.release(requestKey)
      throw error
    }
    // The record is written. If this fails the claim stays, and the retry finds the record by its claimed id.
    const text = answer === undefined ? noBody : JSON.stringify(answer)
    const body = operation.secretOutput ? responses.seal(text, caller.workspaceId) : text
    await store.complete(requestKey, { status: operation.success, body })
    return answer
  }

  return {
    async once(attempt, act) {
      const { key } = attempt
      if (typeof key !== 'string' || key.length === 0 || key.length > 255) {
        throw invalid('Idempotency-Key', 'must be 1 to 255 characters')
      }
      const requestKey: RequestKey = { apiKeyId: attempt.caller.id, route: routeOf(attempt), key }
      const inMemory = JSON.stringify([requestKey.apiKeyId, requestKey.route, key])
      // Parallel retries wait for the first; if it failed, the next one runs.
      for (let first = underWay.get(inMemory); first !== undefined; first = underWay.get(inMemory)) {
        await first.catch(() => {})
      }
      const mine = attemptOnce(attempt, requestKey, act)
      underWay.set(inMemory, mine)
      try {
        return await mine
      } finally {
        underWay.delete(inMemory)
      }
    },
  }
}

/**
 * The scope of a key: the operation, and the resource that its URL names, so that the same request for another resource is a
 * write of its own. Hashed, since index entries have a limited length.
 */
const routeOf = ({ operation: { name, path }, params }: Attempt): string =>
  pathFields(path).length === 0 ? name : `${name} ${hash('sha256', JSON.stringify(params))}`

/** Claims a key; returns the earlier request that has it, unless it has expired. */
async function claim(
  store: ClaimStore,
  newClaim: NewClaim,
  { now, rules }: { readonly now: Date; readonly rules: () => ReturnType<IdempotencyParts['rulesOf']> },
  isShared: boolean,
): Promise<EarlierRequest | undefined> {
  const deadline = performance.now() + otherNodeTimeoutMs
  for (;;) {
    const claimed = await store.claim(newClaim, now)
    if (claimed.type === 'claimed') return undefined
    const { earlier } = claimed
    if (earlier.createdAt < responseCutoff(await rules(), now)) {
      await store.release(newClaim)
      continue
    }
    // This process has no request with this key in progress; without other nodes, the earlier one must have died.
    if (!isShared || earlier.answer !== undefined || performance.now() > deadline) return earlier
    await pause(otherNodePollMs)
  }
}
