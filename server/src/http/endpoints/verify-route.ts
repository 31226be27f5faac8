/** `POST /verify`: checks all stores for damage. Like backups, it is for operators, and not an operation of the interface. */
import { auditedRoutes, invalid, ServiceError } from '@plumbline/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Auditor } from '../../accounts/audit/auditor.ts'
import type { VerifyReport } from '../../operate/verify/verify.ts'
import type { Principal } from '../../requests/verb.ts'
import { actorOf, factsOf } from '../audit.ts'
import type { Authenticator } from '../identity/authenticate.ts'
import { refuseUnlessOperator } from '../identity/operator-key.ts'

interface VerifyRouteParts {
  readonly authenticator: Authenticator
  readonly auditor: Auditor
  readonly verify: (options: { readonly isRepair: boolean }) => Promise<VerifyReport>
  readonly now: () => Date
}

export function registerVerify(
  server: FastifyInstance,
  { authenticator, auditor, verify, now }: VerifyRouteParts,
): void {
  let isUnderWay = false
  const callers = new WeakMap<FastifyRequest, Principal>()
  server.post<{ Querystring: { repair?: string } }>('/verify', {
    onRequest: async (request) => {
      const caller = await authenticator.authenticate(request.headers.authorization, now().getTime())
      callers.set(request, caller)
      refuseUnlessOperator(caller, 'A check reads every workspace')
    },
    onSend: async (request, reply, payload) => {
      const caller = callers.get(request)
      if (caller !== undefined) {
        const { verify: operation } = auditedRoutes
        const entry = auditor.begin({ ...factsOf(request), time: now(), actor: actorOf(caller), operation })
        const status = reply.statusCode
        await auditor.write(entry, {
          outcome: status === 200 ? 'done' : status === 403 ? 'refused' : 'failed',
          status,
        })
      }
      return payload
    },
    handler: async (request) => {
      const { repair = 'false' } = request.query
      if (repair !== 'true' && repair !== 'false') throw invalid('repair', 'must be true or false')
      if (isUnderWay)
        throw new ServiceError('unavailable', {
          problem: 'Another check is under way; try again when it is done.',
        })
      isUnderWay = true
      try {
        return await verify({ isRepair: repair === 'true' })
      } finally {
        isUnderWay = false
      }
    },
  })
}
