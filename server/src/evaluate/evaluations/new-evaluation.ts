import type { NewEvaluation } from '@plumbline/storage/control'
import type { JudgedReference, SampledTrace } from '../../ingest/monitor/judged-references.ts'
import type { CachedEvaluator } from '../../workspace/workspace-cache.ts'
import { evaluationId } from './evaluation-id.ts'

/** The same trace, log, evaluator and version give the same evaluation; for a session, the digest distinguishes its states. */
export function newEvaluation(
  { workspaceId, traceId }: Pick<SampledTrace, 'workspaceId' | 'traceId'>,
  { logId, evaluatorSlug, digest }: JudgedReference,
  { kind, version: evaluatorVersion, target: modelRef }: Pick<CachedEvaluator, 'kind' | 'version' | 'target'>,
  sessionId?: string,
): NewEvaluation {
  const subject = { workspaceId, traceId, logId, evaluatorSlug, evaluatorVersion }
  const id = evaluationId({ ...subject, digest })
  return { id, ...subject, sessionId, target: modelRef, isCode: kind === 'code' }
}
