/** Puts what was drawn into the queue of evaluations. */
import type { Arrival, EvaluationQueue, NewEvaluation } from '@plumbline/storage/control'
import type { CachedEvaluator, WorkspaceCache } from '../workspace-cache.ts'
import { evaluationId } from './evaluation-id.ts'
import type { JudgedReference, SampledTrace } from './judged-references.ts'
import { deadlineMs } from './pace.ts'

interface EnqueueParts {
  readonly queue: Pick<EvaluationQueue, 'add' | 'arrive' | 'takeArrival' | 'addArrived'>
  readonly catalogueOf: (workspaceId: string) => Pick<WorkspaceCache, 'evaluator'>
  readonly now: () => Date
}

export interface Enqueue {
  /** Notes what was drawn of some records, cheaply, for `takeIn`; the same records have the same token. */
  arrive(token: string, sampled: readonly SampledTrace[]): Promise<void>
  /** Adds what is to be judged of a piece of what was noted; false where nothing is left. */
  takeIn(): Promise<boolean>
  /** Adds what is to be judged of some traces. */
  add(sampled: readonly SampledTrace[]): Promise<void>
}

/** Evaluations that a piece makes, about: the thread of requests is held for as long as they take to be written. */
const pieceMax = 300
/** How long a node may take for a piece, before another does the same once more, which adds nothing. */
const pieceLeaseMs = 10_000

export function makeEnqueue({ queue, catalogueOf, now }: EnqueueParts): Enqueue {
  const evaluationsOf = async (sampled: readonly SampledTrace[]): Promise<NewEvaluation[]> => {
    const added: NewEvaluation[] = []
    for (const trace of sampled) {
      const catalogue = catalogueOf(trace.workspaceId)
      for (const reference of trace.references) {
        const evaluator = await catalogue.evaluator(reference.evaluatorSlug)
        // What is unknown was warned of when the trace came, and people judge in their own time.
        if (evaluator !== undefined && evaluator.kind !== 'human')
          added.push(newEvaluation(trace, reference, evaluator))
      }
    }
    return added
  }
  const times = () => {
    const at = now()
    return { now: at, deadlineAt: new Date(at.getTime() + deadlineMs) }
  }
  return {
    arrive: (token, sampled) => queue.arrive(piecesOf(token, sampled), now()),
    async takeIn() {
      const at = now()
      const piece = await queue.takeArrival({ now: at, lostAt: new Date(at.getTime() + pieceLeaseMs) })
      if (piece === undefined) return false
      // Safe: `piecesOf` wrote it.
      const sampled = JSON.parse(piece.sampled) as Omit<SampledTrace, 'workspaceId'>[]
      const { workspaceId } = piece
      const added = await evaluationsOf(sampled.map((trace) => ({ workspaceId, ...trace })))
      await queue.addArrived(piece.id, added, times())
      return true
    },
    async add(sampled) {
      await queue.add(await evaluationsOf(sampled), times())
    },
  }
}

/** In pieces of one workspace each, none of which makes very many evaluations. */
function piecesOf(token: string, sampled: readonly SampledTrace[]): Arrival[] {
  const pieces: Arrival[] = []
  for (const [workspaceId, traces] of Map.groupBy(sampled, (trace) => trace.workspaceId)) {
    let piece: Omit<SampledTrace, 'workspaceId'>[] = []
    let evaluations = 0
    const end = (): void => {
      const id = `${token} ${pieces.length}`
      if (piece.length > 0) pieces.push({ id, workspaceId, sampled: JSON.stringify(piece), evaluations })
      piece = []
      evaluations = 0
    }
    for (const { traceId, references } of traces) {
      piece.push({ traceId, references })
      evaluations += references.length
      if (evaluations >= pieceMax) end()
    }
    end()
  }
  return pieces
}

/** What is asked for: the same trace, log, evaluator and version are the same evaluation. */
export function newEvaluation(
  { workspaceId, traceId }: Pick<SampledTrace, 'workspaceId' | 'traceId'>,
  { logId, evaluatorSlug, digest }: JudgedReference,
  { kind, version: evaluatorVersion, asked }: Pick<CachedEvaluator, 'kind' | 'version' | 'asked'>,
): NewEvaluation {
  const of = { workspaceId, traceId, logId, evaluatorSlug, evaluatorVersion }
  return { id: evaluationId({ ...of, digest }), ...of, asked, isCode: kind === 'code' }
}
