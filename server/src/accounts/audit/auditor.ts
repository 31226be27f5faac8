/** Writes the entries of the audit log, for operations, sign-in and backups. */
import { createHmac } from 'node:crypto'
import type { AuditedRoute, AuditOutcome } from '@plumbline/contract'
import {
  type AuditEntry,
  type AuditLog,
  type AuditStates,
  type NewForward,
  newId,
} from '@plumbline/storage/control'
import type { Logger } from 'pino'

/** The sender of a request; undefined if unidentified. */
export interface AuditActor {
  readonly type: 'person' | 'key'
  readonly id: string
  readonly name: string
}

/** What is known about a request before it is answered. */
export interface AuditedRequest {
  readonly time: Date
  readonly actor: AuditActor | undefined
  readonly address: string
  readonly userAgent: string | undefined
  /** An operation of the contract, or a route outside it. */
  readonly operation: string | AuditedRoute
  /** Undefined if it is about the installation. */
  readonly workspaceId?: string | undefined
  readonly resourceId?: string | undefined
  readonly requestId: string
  /** Hashed, never stored. */
  readonly body?: Buffer | undefined
}

/** The result of a request. */
export interface AuditResult {
  readonly outcome: AuditOutcome
  readonly status: number
  /** The error code. */
  readonly problem?: string | undefined
}

export interface Auditor {
  /** An entry without a result yet. */
  begin(request: AuditedRequest): AuditEntry
  /** Writes an entry. A failure is logged and counted, not thrown: the audited action has already happened. */
  write(entry: AuditEntry, result: AuditResult, states?: AuditStates): Promise<void>
}

interface AuditorDeps {
  readonly log: Pick<AuditLog, 'add'>
  readonly newForward: NewForward
  /** Called when an entry may have to be forwarded. */
  readonly onWritten: () => void
  readonly hashKey: Buffer
  /** Counts entries that could not be written. */
  readonly onLost: () => void
  readonly logger: Logger
}

/** Longer than any request: entries still without a result then are from a service that stopped. */
export const intentKeptMs = 3_600_000

const userAgentMax = 300
const resourceIdMax = 300

export function makeAuditor({ log, newForward, hashKey, onWritten, onLost, logger }: AuditorDeps): Auditor {
  return {
    begin({ actor, body, ...request }) {
      return {
        id: newId(),
        workspaceId: request.workspaceId ?? '',
        time: request.time,
        actor: actor ?? { type: 'nobody', id: '', name: '' },
        address: request.address,
        userAgent: (request.userAgent ?? '').slice(0, userAgentMax),
        operation: request.operation,
        resourceId: (request.resourceId ?? '').slice(0, resourceIdMax),
        outcome: 'interrupted',
        status: 0,
        problem: '',
        requestId: request.requestId,
        requestHash:
          body === undefined || body.length === 0
            ? ''
            : createHmac('sha256', hashKey).update(body).digest('hex'),
      }
    },
    async write(entry, { outcome, status, problem = '' }, states) {
      try {
        await log.add({ ...entry, outcome, status, problem }, states, newForward)
        onWritten()
      } catch (error) {
        onLost()
        const { id, operation, actor, requestId } = entry
        logger.error(
          { err: error, entryId: id, operation, actorId: actor.id, outcome, requestId },
          'an audit entry could not be written',
        )
      }
    },
  }
}
