/** Scores as Langfuse shows them. */
import type { Score } from '@plumbline/contract'

const sources: Readonly<Record<string, string>> = { evaluator: 'EVAL', human: 'ANNOTATION' }

export function toScore(score: Score, workspaceId: string): object {
  const { value, createdAt } = score
  return {
    id: score.id,
    projectId: workspaceId,
    traceId: score.traceId,
    observationId: score.logId,
    sessionId: null,
    datasetRunId: null,
    name: score.name,
    source: sources[score.source] ?? 'API',
    ...(typeof value === 'number'
      ? { dataType: 'NUMERIC', value }
      : typeof value === 'boolean'
        ? { dataType: 'BOOLEAN', value: Number(value), stringValue: value ? 'True' : 'False' }
        : { dataType: 'CATEGORICAL', value: 0, stringValue: value }),
    comment: score.comment,
    metadata: {},
    authorUserId: score.userId,
    configId: null,
    queueId: null,
    environment: 'default',
    timestamp: createdAt,
    createdAt,
    updatedAt: createdAt,
  }
}
