/**
 * Masking for all workspaces: every accepted record passes it before it reaches a file. Without rules it returns its input
 * unchanged. Small records of workspaces without patterns are masked on this thread if that takes only milliseconds; all
 * others by the worker.
 */
import { type MaskingRule, maskingDetectors, ServiceError } from '@plumbline/contract'
import type { ScoreRow, StoredTrace } from '@plumbline/storage/traces'
import { WorkerPool } from '../../process/threads/worker-pool.ts'
import type { AcceptedRecord } from '../monitor/record.ts'
import { checkPaths, compileRules, hasHash } from './compile-rules.ts'
import { maskAtOnce, maskingMsFor, noDeadline, sizeOf } from './deadline.ts'
import { maskRecord, maskSample, type StoredRecord, unmaskableBody } from './mask-record.ts'
import { maskId, maskScoreRow } from './mask-rows.ts'
import type { Rehearsal, Task, TaskResult } from './masking-messages.ts'
import { type LoadedRules, makeRules, type RulesParts } from './rules-of-workspaces.ts'

export interface Masking {
  /** The masked form of an accepted record, which may be written. Throws `unavailable` if it cannot be masked now. */
  record<Of extends AcceptedRecord>(acceptedRecord: Of, body: Buffer): Promise<StoredRecord<Of>>
  /** The sample of a rejected body that may be kept; never rejects. */
  sample(workspaceId: string, body: Buffer, lengthMax: number): string | Promise<string>
  /** The masked form of traces that were stored elsewhere. */
  traces(workspaceId: string, traces: readonly StoredTrace[]): Promise<readonly StoredTrace[]>
  /** The form of a trace that a share link shows: masked by all detectors; texts not searched in time are masked whole. */
  shared(workspaceId: string, trace: StoredTrace): Promise<StoredTrace>
  /** The masked form of a score that was changed. */
  score(workspaceId: string, score: ScoreRow): Promise<ScoreRow>
  /** The hashes that rules give for an id, each of which stands for this id alone. */
  hashesOf(workspaceId: string, field: 'user' | 'organization', id: string): Promise<readonly string[]>
  /** What rules would change in stored traces. */
  rehearse(
    workspaceId: string,
    rules: readonly MaskingRule[],
    traces: readonly StoredTrace[],
  ): Promise<Rehearsal>
  /** Throws an `invalid_request` that names a rule that is invalid. */
  check(workspaceId: string, rules: readonly MaskingRule[]): void
  /** Applies rules that were just stored, even while the control plane cannot be read. */
  keep(workspaceId: string, rules: readonly MaskingRule[]): void
  /** Makes the rules of a workspace be read again. */
  forget(workspaceId: string): void
  close(): Promise<void>
}

/** Masking for one workspace, for data that does not pass through the recorder. */
export interface WorkspaceMasking {
  check(rules: readonly MaskingRule[]): void
  keep(rules: readonly MaskingRule[]): void
  score(score: ScoreRow): Promise<ScoreRow>
  hashesOf(field: 'user' | 'organization', id: string): Promise<readonly string[]>
  traces(traces: readonly StoredTrace[]): Promise<readonly StoredTrace[]>
  shared(trace: StoredTrace): Promise<StoredTrace>
  rehearse(rules: readonly MaskingRule[], traces: readonly StoredTrace[]): Promise<Rehearsal>
}

/** The same functions, bound to the workspace. */
declare module '../../workspace/workspace.ts' {
  interface Workspace {
    /** Masks data that is stored without passing through the recorder. */
    readonly masking: WorkspaceMasking
  }
}

export const maskingOf = (masking: Masking, workspaceId: string): WorkspaceMasking => ({
  check: (rules) => masking.check(workspaceId, rules),
  keep: (rules) => masking.keep(workspaceId, rules),
  score: (score) => masking.score(workspaceId, score),
  hashesOf: (field, id) => masking.hashesOf(workspaceId, field, id),
  traces: (traces) => masking.traces(workspaceId, traces),
  shared: (trace) => masking.shared(workspaceId, trace),
  rehearse: (rules, traces) => masking.rehearse(workspaceId, rules, traces),
})

/** Every detector, independent of the workspace's rules. */
const sharedRules = maskingDetectors.map(
  (detector): MaskingRule => ({ type: 'detector', detector, name: detector, action: 'mask' }),
)
/** A limit, since other tasks wait for the worker too. */
const sharedMs = 2000

/** Larger records are masked by the worker; this size takes a few milliseconds. */
const atOnceBytesMax = 32 * 1024

const idleTimeoutMs = 60_000

/** The worker's time beyond the rules' deadline. Other tasks wait for it, so a task that takes longer is ended with its thread. */
const graceMs = 10_000

export function makeMasking(parts: RulesParts): Masking {
  const pool = new WorkerPool<Task, TaskResult>(new URL('./masking-worker.ts', import.meta.url), {
    idleTimeoutMs,
  })
  const { rulesByWorkspace, sourceOf, find, keep, forget } = makeRules(parts)

  const inWorker = async <Result extends TaskResult>(task: Task, bytes: number): Promise<Result> => {
    try {
      // Safe: the worker returns the result type of each task type.
      return (await pool.run(task, { timeoutMs: maskingMsFor(bytes) + graceMs })) as Result
    } catch (cause) {
      throw new ServiceError(
        'unavailable',
        { problem: 'The masking rules cannot be applied at the moment, and nothing is stored without them.' },
        { cause },
      )
    }
  }

  const sampleBy = async (rules: LoadedRules | null, body: Buffer, lengthMax: number): Promise<string> => {
    if (rules === null) return plainSample(body, lengthMax)
    const { source, compiledRules, hasPatterns } = rules
    const sample =
      !hasPatterns && body.length <= atOnceBytesMax
        ? maskAtOnce((deadline) => maskSample(body, compiledRules, { deadline }, lengthMax))
        : undefined
    return (
      sample ??
      (await inWorker<{ sample: string }>({ type: 'sample', source, body, lengthMax }, body.length)).sample
    )
  }

  return {
    async record(acceptedRecord, body) {
      const rules = await find(acceptedRecord.workspaceId)
      if (rules === null) return { accepted: acceptedRecord, body }
      const { source, compiledRules, hasPatterns } = rules
      const masked =
        !hasPatterns && body.length <= atOnceBytesMax
          ? maskAtOnce((deadline) =>
              maskRecord({ accepted: acceptedRecord, body }, compiledRules, { deadline }),
            )
          : undefined
      const record =
        masked ??
        (await inWorker<{ accepted: AcceptedRecord; body: Uint8Array }>(
          { type: 'record', source, accepted: acceptedRecord, body },
          body.length,
        ))
      // Safe: masking keeps the type of a record.
      return { accepted: record.accepted as typeof acceptedRecord, body: asBuffer(record.body) }
    },
    sample(workspaceId, body, lengthMax) {
      if (body.length === 0 || rulesByWorkspace.get(workspaceId) === null) return plainSample(body, lengthMax)
      return Promise.resolve(find(workspaceId))
        .then((rules) => sampleBy(rules, body, lengthMax))
        .catch(() => unmaskableBody)
    },
    async traces(workspaceId, traces) {
      const rules = await find(workspaceId)
      if (rules === null) return traces
      const { source } = rules
      const task: Task = { type: 'traces', source, traces }
      return (await inWorker<{ traces: StoredTrace[] }>(task, sizeOf(traces))).traces
    },
    async shared(workspaceId, trace) {
      const source = sourceOf(workspaceId, sharedRules)
      const task: Task = { type: 'traces', source, traces: [trace], limitMs: sharedMs }
      const { traces } = await inWorker<{ traces: StoredTrace[] }>(task, sizeOf([trace]))
      // Safe: the worker returns as many traces as it was sent.
      return traces[0]!
    },
    async score(workspaceId, score) {
      const rules = await find(workspaceId)
      if (rules === null) return score
      const { source, compiledRules, hasPatterns } = rules
      const masked = hasPatterns
        ? undefined
        : maskAtOnce((deadline) => maskScoreRow(score, compiledRules, { deadline }))
      return masked ?? (await inWorker<{ score: ScoreRow }>({ type: 'score', source, score }, 0)).score
    },
    async hashesOf(workspaceId, field, id) {
      const rules = await find(workspaceId)
      if (rules === null) return []
      const { source, compiledRules } = rules
      // A rule may be limited to features, and the features in question are not known here.
      const features = new Set([null, undefined, ...source.rules.flatMap((rule) => rule.features ?? [])])
      const masked = [...features].flatMap(
        (feature) =>
          maskId(field, id, { rules: compiledRules.forFeature(feature), deadline: noDeadline }) ?? [],
      )
      return [...new Set(masked)].filter((form) => form !== id && hasHash(form))
    },
    rehearse: (workspaceId, rules, traces) =>
      inWorker<Rehearsal>(
        { type: 'rehearsal', source: sourceOf(workspaceId, rules), traces },
        sizeOf(traces),
      ),
    check(workspaceId, rules) {
      compileRules(rules, Buffer.from(sourceOf(workspaceId, rules).key))
      checkPaths(rules)
    },
    keep,
    forget,
    close: () => pool.close(),
  }
}

const plainSample = (body: Buffer, lengthMax: number): string => body.toString('utf8', 0, lengthMax)

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
