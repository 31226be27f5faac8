/**
 * `POST /backup`: the whole installation in one archive. It is not an operation of the interface, which is about one
 * workspace: it is for operators, like health and metrics, and contains all workspaces.
 */
import { Readable } from 'node:stream'
import { auditedRoutes, ServiceError } from '@plumbline/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Auditor } from '../../accounts/audit/auditor.ts'
import { packSnapshot } from '../../operate/backup/pack.ts'
import { removeSnapshot, type SnapshotParts, takeSnapshot } from '../../operate/backup/snapshot.ts'
import type { Principal } from '../../requests/verb.ts'
import { actorOf, factsOf } from '../audit.ts'
import type { Authenticator } from '../identity/authenticate.ts'
import { refuseUnlessOperator } from '../identity/operator-key.ts'
import { sendStream } from '../streams/send-stream.ts'

interface BackupParts extends SnapshotParts {
  readonly authenticator: Authenticator
  readonly auditor: Auditor
  readonly logger: Logger
  readonly now: () => Date
}

export function registerBackup(
  server: FastifyInstance,
  { authenticator, auditor, logger, now, ...parts }: BackupParts,
): void {
  let isUnderWay = false

  const startBackup = async (time: Date): Promise<Readable> => {
    if (isUnderWay)
      throw new ServiceError('unavailable', {
        problem: 'Another backup is under way; try again when it is done.',
      })
    isUnderWay = true
    const end = once(async () => {
      // A snapshot that could not be removed is removed before the next one.
      await removeSnapshot(parts.dataFolder).finally(() => {
        isUnderWay = false
      })
    })
    try {
      const archive = Readable.from(thenDo(packSnapshot(await takeSnapshot(parts), time), end), {
        objectMode: false,
      })
      // The client may disconnect before the first byte is read.
      return archive.once('close', () => {
        end().catch((error: unknown) => logger.error({ err: error }, 'a snapshot could not be removed'))
      })
    } catch (error) {
      await end()
      throw error
    }
  }

  const callers = new WeakMap<FastifyRequest, Principal>()
  const audit = async (request: FastifyRequest, status: number): Promise<void> => {
    const caller = callers.get(request)
    if (caller === undefined) return
    const { backup: operation } = auditedRoutes
    const entry = auditor.begin({ ...factsOf(request), time: now(), actor: actorOf(caller), operation })
    const outcome = status === 200 ? 'done' : status === 403 ? 'refused' : 'failed'
    await auditor.write(entry, { outcome, status })
  }

  server.post('/backup', {
    // Before the body is read, so that nothing is read for callers without a key.
    onRequest: async (request) => {
      const { authorization } = request.headers
      const caller = await authenticator.authenticate(authorization, now().getTime())
      callers.set(request, caller)
      refuseUnlessOperator(caller, 'A backup contains every workspace')
    },
    // Before the first byte is sent.
    onSend: async (request, reply, payload) => {
      await audit(request, reply.statusCode)
      return payload
    },
    handler: async (_request, reply) =>
      sendStream(reply.type('application/x-tar'), await startBackup(now()), logger),
  })
}

/** The same chunks; runs `end` when reading is over, before the stream ends. */
async function* thenDo(pieces: AsyncIterable<Buffer>, end: () => Promise<void>): AsyncGenerator<Buffer> {
  try {
    yield* pieces
  } finally {
    await end()
  }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let completion: Promise<void> | undefined
  return () => (completion ??= work())
}
