/**
 * The audit log, written where operations are dispatched: every operation is logged unless the contract exempts it, whatever
 * its verb does.
 */
import { errors, isAudited, type Operation, pathFields, ServiceError } from '@plumbline/contract'
import { type AuditIntent, withAuditIntent } from '@plumbline/storage/control'
import type { FastifyRequest } from 'fastify'
import { auditedState, idOf } from '../accounts/audit/audited-state.ts'
import type { AuditActor, Auditor, AuditResult } from '../accounts/audit/auditor.ts'
import type { PathFields, ReadSettings } from '../accounts/audit/read-settings.ts'
import type { Context, Principal } from '../requests/verb.ts'
import { asServiceError } from './errors.ts'
import { makeRateLimit } from './limits/rate-limit.ts'

export interface AuditParts {
  readonly auditor: Auditor
  readonly readSettings: ReadSettings
}

/** A request with an identified principal. */
type IdentifiedRequest = FastifyRequest & { readonly caller: Principal; readonly arrivedAt: Date }

export interface OperationAudit {
  /** Runs the verb, and logs its result before it resolves. */
  run<Output>(request: IdentifiedRequest, context: Context, verb: () => Promise<Output>): Promise<Output>
  /** Logs that the principal of a request lacks the role or scope for it. */
  refuse(request: IdentifiedRequest, error: unknown): Promise<void>
}

/** Log entries per minute for one caller's requests that lack permission; further ones are answered without an entry. */
const refusalsPerMinute = 60
/** For each operation; there are many, and most never refuse a request. */
const refusedCallersMax = 1_000

/** Undefined for an operation that is exempt from the log. */
export function makeOperationAudit(
  operation: Operation,
  { auditor, readSettings }: AuditParts,
): OperationAudit | undefined {
  if (!isAudited(operation)) return undefined
  const limitRefusals = makeRateLimit(refusalsPerMinute, refusedCallersMax)
  const isOfWorkspace = operation.role !== 'anyone' && operation.role !== 'operator'
  const isCreation = pathFields(operation.path).length === 0 && operation.success === 201

  const begin = (request: IdentifiedRequest, body?: Buffer) =>
    auditor.begin({
      ...factsOf(request),
      time: request.arrivedAt,
      actor: actorOf(request.caller),
      operation: operation.name,
      workspaceId: isOfWorkspace ? request.caller.workspaceId : undefined,
      resourceId: pathFields(operation.path)
        .map((field) => pathOf(request)[field])
        .join('/'),
      body,
    })

  /** The state is for display only, so failing to read it never fails a request. */
  const readState = async (request: IdentifiedRequest, context: Context): Promise<object | undefined> =>
    readSettings(operation, pathOf(request), context).catch(() => undefined)

  return {
    async run(request, context, verb) {
      const entry = begin(request, context.body)
      const intent: AuditIntent = { entry, isWritten: false, isOver: false }
      const before = operation.method === 'GET' || isCreation ? undefined : await readState(request, context)
      const states = async (output: unknown) => ({
        before: auditedState(operation, before),
        after: auditedState(
          operation,
          (before !== undefined && operation.method !== 'DELETE' && (await readState(request, context))) ||
            output,
        ),
      })
      try {
        const output = await withAuditIntent(intent, verb)
        const resourceId = entry.resourceId || (idOf(operation, output) ?? '')
        // If anyone may call an operation and it returns a workspace, the entry belongs to that workspace.
        const workspaceId = operation.role === 'anyone' ? workspaceIn(output) : entry.workspaceId
        await auditor.write(
          { ...entry, resourceId, workspaceId },
          { outcome: 'done', status: operation.success },
          await states(output),
        )
        return output
      } catch (error) {
        const result = resultOf(error, request.id)
        if (intent.isWritten || result.outcome === 'refused' || result.status >= 500)
          await auditor.write(entry, result, intent.isWritten ? await states(undefined) : undefined)
        throw error
      }
    },
    async refuse(request, error) {
      if (!(error instanceof ServiceError) || error.code !== 'forbidden') return
      try {
        limitRefusals(request.caller.id, request.arrivedAt.getTime())
      } catch {
        // Repeated refused requests must not fill the log.
        return
      }
      await auditor.write(begin(request), resultOf(error, request.id))
    },
  }
}

/** Where a request comes from. */
export const factsOf = (request: FastifyRequest) => ({
  address: request.ip,
  userAgent: request.headers['user-agent'],
  requestId: request.id,
})

export const actorOf = ({ id, name, session }: Principal): AuditActor => ({
  type: session === undefined ? 'key' : 'person',
  id,
  name,
})

/** Safe: the router stores strings here, and readers access only fields in the path of their operation. */
const pathOf = (request: FastifyRequest) => request.params as PathFields & Record<string, string>

function resultOf(error: unknown, requestId: string): AuditResult {
  const { code } = asServiceError(error, requestId)
  const { status } = errors[code]
  return { outcome: status === 403 ? 'refused' : 'failed', status, problem: code }
}

function workspaceIn(output: unknown): string {
  const { workspace } = (output ?? {}) as { readonly workspace?: { readonly id?: unknown } }
  return typeof workspace?.id === 'string' ? workspace.id : ''
}
