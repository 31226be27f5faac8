/** The trace of a share link, as somebody without an account reads it: without people, and masked. */
import { randomBytes } from 'node:crypto'
import { maskingDetectors, ServiceError, type StoredTrace } from '@plumbline/contract'
import { compileRules } from '../../ingest/masking/compile-rules.ts'
import { maskStoredTrace } from '../../ingest/masking/mask-rows.ts'
import { findTrace } from '../../traces/find.ts'
import { toStoredTrace } from '../../traces/view.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { ShareSigner } from './share-signature.ts'

export interface SharedTrace {
  readonly trace: StoredTrace
  readonly expiresAt: string
}

interface SharedTraceDeps {
  readonly signer: ShareSigner
  readonly workspaceOf: (workspaceId: string) => Workspace
  /** Counts a read of a link; throws where it is read too often. */
  readonly checkRate: (shareId: string, nowMs: number) => void
  readonly now: () => Date
}

/** Every detector, whatever the rules of the workspace are; nothing is hashed, so no key is needed. */
const rules = compileRules(
  maskingDetectors.map((detector) => ({ type: 'detector', detector, name: detector, action: 'mask' })),
  randomBytes(32),
)

/** What is not searched by then is masked whole. */
const maskingMs = 500

/** Throws `link_not_valid` with the reason. */
export async function readSharedTrace(
  token: string,
  { signer, workspaceOf, checkRate, now }: SharedTraceDeps,
): Promise<SharedTrace> {
  const key = signer.read(token)
  if (key === undefined) throw notValid('was not made by this service')
  checkRate(key.id, now().getTime())
  const workspace = workspaceOf(key.workspaceId)
  const share = await workspace.shares.find(key.id)
  if (share === undefined) throw notValid('is of a trace that was deleted')
  if (share.revokedAt !== undefined) throw notValid('was revoked')
  if (share.expiresAt <= now()) throw notValid('has expired')
  const storedTrace = await findTrace(share.traceId, workspace)
  if (storedTrace === undefined) throw notValid('is of a trace that was deleted')
  const end = performance.now() + maskingMs
  const masked = maskStoredTrace(storedTrace, rules, { deadline: { isOver: () => performance.now() > end } })
  const trace = toStoredTrace({ ...masked, scores: [] })
  return { trace: { ...trace, user: null, organization: null }, expiresAt: share.expiresAt.toISOString() }
}

const notValid = (problem: string): ServiceError =>
  new ServiceError('link_not_valid', { problem: `This link ${problem}.` })
