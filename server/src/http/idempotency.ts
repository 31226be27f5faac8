/**
 * `Idempotency-Key`: a retry within 24 hours, or the days that the workspace has set, gets the first answer and stores
 * nothing twice.
 *
 * The key is claimed in the control plane before anything is written, together with the ids that a record will
 * get. After a crash between the write and its answer, the retry therefore writes under the same ids, or finds
 * that they are there already.
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

/** How often an answer that another node works on is looked for, and for how long. */
const otherNodePollMs = 50
const otherNodeTimeoutMs = 10_000

/** What is kept of a response without a body. */
const noBody = ''

interface Attempt {
  readonly caller: Caller
  readonly operation: Operation
  /** The fields that the address has. */
  readonly params: unknown
  readonly key: string | string[]
  readonly body: Buffer | undefined
  readonly now: Date
}

export interface Idempotency {
  /** Runs `act` unless an earlier attempt was answered; then gives that answer. Only successes are remembered. */
  once(attempt: Attempt, act: (claimedIds: ClaimedIds) => Promise<unknown>): Promise<unknown>
}

interface IdempotencyParts {
  readonly storeOf: (workspaceId: string) => ClaimStore
  readonly rulesOf: (workspaceId: string) => Promise<Pick<RetentionRules, 'idempotencyDays'>>
  /** Told of every retry that got an earlier answer. */
  readonly onRepeated: (caller: Caller, operation: Operation, time: Date) => void
  /** Whether other processes share the control plane. */
  readonly isShared: boolean
  /** For responses that hold a secret: neither the table nor a backup has one in clear. */
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

  /** The secret of the installation may be another one since, or another node's. */
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
    // The record is written: if this fails the claim stays, and the retry finds the record by its claimed id.
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
      // Parallel retries wait for the first; if it failed, the next one tries.
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
 * What a key is for: the operation, and which thing of the workspace its address names, so that the same request for
 * another thing is a write of its own. Hashed, since an index takes no text of any length.
 */
const routeOf = ({ operation: { name, path }, params }: Attempt): string =>
  pathFields(path).length === 0 ? name : `${name} ${hash('sha256', JSON.stringify(params))}`

/** Claims a key; answers the request that has it, unless that is too old. */
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
    // In this process nothing with this key is under way, so without others the earlier request died.
    if (!isShared || earlier.answer !== undefined || performance.now() > deadline) return earlier
    await pause(otherNodePollMs)
  }
}
