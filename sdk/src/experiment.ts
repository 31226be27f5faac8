/** Experiments: a function runs over the rows of a dataset, and evaluators judge its outputs. */
import type { DatasetRow, Experiment, StoredRow } from '@plumbline/contract'
import { formatTable } from './client/experiment-table.ts'
import type { Operations } from './client/operations.ts'
import { type Screen, standardError } from './client/platform.ts'
import { makeProgress } from './client/progress.ts'
import { type ScoreSummary, summarize } from './client/summarize.ts'
import type { Delivery } from './recording/delivery.ts'
import type { TraceFields, TraceRecording } from './recording/recording.ts'

export type ScoreValue = boolean | number | string
/** A value, or a value with its reason. */
export type Judgement = ScoreValue | { readonly value: ScoreValue; readonly comment?: string }

export interface ExperimentPlan<Scores extends string = string> {
  readonly name: string
  /** The feature under test; it must exist. */
  readonly featureSlug: string
  /** The slug of a dataset, or the rows themselves. */
  readonly dataset: string | readonly DatasetRow[]
  /** A version of the dataset; by default, its rows as they are now. */
  readonly datasetVersion?: number
  /** Only rows in this split of the dataset. */
  readonly split?: string
  /** Only rows with this label. */
  readonly label?: string
  /** The function under test. Logs of the given trace, and calls of wrapped model clients, become part of the row's trace. */
  readonly run: (row: DatasetRow, trace: TraceRecording) => unknown
  /** Evaluators, by the names of their scores. */
  readonly evaluators?: Readonly<
    Record<Scores, (context: { row: DatasetRow; output: unknown }) => Judgement | Promise<Judgement>>
  >
  /** Number of rows that run at a time; 4 by default. */
  readonly concurrency?: number
  /** The minimum mean of a score for the experiment to pass; true counts as 1, false as 0. */
  readonly thresholds?: Readonly<Partial<Record<Scores, number>>>
  /** Where to write progress (on a terminal) and the table: standard error by default, null for nowhere. */
  readonly screen?: Screen | null
}

export interface RowResult<Scores extends string = string> {
  readonly row: DatasetRow
  /** Undefined if the function failed. */
  readonly output: unknown
  /** The error that the function or an evaluator threw. */
  readonly error?: unknown
  readonly scores: Readonly<Partial<Record<Scores, ScoreValue>>>
  readonly durationMs: number
  readonly trace: TraceRecording
}

export interface ExperimentResult<Scores extends string = string> {
  readonly experiment: Experiment
  /** In the order of the dataset. */
  readonly rows: readonly RowResult<Scores>[]
  readonly scores: Readonly<Record<Scores, ScoreSummary>>
  /** Number of traces and scores that are not stored: still waiting for the service, or dropped. */
  readonly unstored: number
  /** Whether there were rows, none of them failed, and every threshold was reached. */
  readonly hasPassed: boolean
  /** For `process.exitCode`: 0 if it has passed, else 1. */
  readonly exitCode: 0 | 1
  /** The table printed at the end. */
  readonly table: string
}

/** The parts of the client that an experiment uses. */
export interface ExperimentDeps {
  readonly operations: Operations
  readonly trace: (values: TraceFields, run: (trace: TraceRecording) => unknown) => unknown
  readonly delivery: Delivery
}

/** Number of waiting records from which rows wait too: an experiment is in no hurry, and must not drop records. */
const pendingMax = 500
const deliveryMs = 60_000

export async function runExperiment<Scores extends string>(
  deps: ExperimentDeps,
  plan: ExperimentPlan<Scores>,
): Promise<ExperimentResult<Scores>> {
  const { operations, delivery } = deps
  const { name, featureSlug, concurrency = 4, screen = standardError() } = plan
  const { rows, sources } = await readRows(operations, plan)
  const experiment = await operations.experiments.create({ featureSlug, name })
  const startedAt = performance.now()
  const droppedBefore = sumCounts(delivery.stats.dropped)
  const progress = makeProgress(rows.length, screen ?? undefined)

  const results = new Array<RowResult<Scores>>(rows.length)
  let next = 0
  const runWorker = async (): Promise<void> => {
    for (let index = next++; index < rows.length; index = next++) {
      if (delivery.stats.pending > pendingMax) await delivery.flush(deliveryMs)
      const result = await runRow(deps, plan, experiment.id, { row: rows[index]!, source: sources[index]! })
      results[index] = result
      progress.advance('error' in result)
    }
  }
  // At least one worker: an experiment in which nothing ran would pass.
  await Promise.all(Array.from({ length: concurrency >= 1 ? concurrency : 1 }, runWorker))
  const { pending, dropped } = await delivery.flush(deliveryMs)
  const unstored = pending + sumCounts(dropped) - droppedBefore
  progress.end()

  const { scores, hasPassed } = summarize(plan, results)
  const durationMs = performance.now() - startedAt
  const table = formatTable({ plan, results, scores, durationMs, unstored, hasPassed })
  screen?.write(table)
  return { experiment, rows: results, scores, unstored, hasPassed, exitCode: hasPassed ? 0 : 1, table }
}

const sumCounts = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)

/** Metadata that identifies the row of a trace. */
type RowSource = Readonly<Record<string, string | number>>

/** Rows are identified by id, since their positions change when earlier rows are deleted. */
async function readRows(
  operations: Operations,
  { dataset, datasetVersion, split, label }: ExperimentPlan,
): Promise<{ readonly rows: readonly DatasetRow[]; readonly sources: readonly RowSource[] }> {
  const isSelection = datasetVersion !== undefined || split !== undefined || label !== undefined
  if (typeof dataset !== 'string') {
    if (isSelection)
      throw new TypeError('"datasetVersion", "split" and "label" need the slug of a dataset as "dataset".')
    return { rows: dataset, sources: dataset.map((_row, index) => ({ row: index })) }
  }
  const version = datasetVersion === undefined ? {} : { version: datasetVersion }
  const selection = {
    ...version,
    ...(split === undefined ? {} : { split }),
    ...(label === undefined ? {} : { label }),
  }
  const storedRows: StoredRow[] = []
  let cursor: string | undefined
  do {
    const page = await operations.datasets.rows({
      slug: dataset,
      ...selection,
      limit: 1000,
      ...(cursor === undefined ? {} : { cursor }),
    })
    storedRows.push(...page.rows)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  const source = {
    dataset,
    ...(datasetVersion === undefined ? {} : { datasetVersion }),
    ...(split === undefined ? {} : { datasetSplit: split }),
    ...(label === undefined ? {} : { datasetLabel: label }),
  }
  return {
    rows: storedRows.map(({ id, createdAt, problems, ...row }) => row),
    sources: storedRows.map(({ id }, index) => ({
      ...source,
      // Rows of a selection or a version have other positions than in the dataset.
      ...(isSelection ? {} : { row: index }),
      datasetRowId: id,
    })),
  }
}

async function runRow<Scores extends string>(
  { trace, delivery }: ExperimentDeps,
  plan: ExperimentPlan<Scores>,
  experimentId: string,
  { row, source }: { readonly row: DatasetRow; readonly source: RowSource },
): Promise<RowResult<Scores>> {
  let recording: TraceRecording | undefined
  const startedAt = performance.now()
  const run = async (): Promise<{ output: unknown; error?: unknown }> => {
    try {
      const output = await trace(
        {
          name: plan.name,
          featureSlug: plan.featureSlug,
          experiment: { id: experimentId },
          input: row.values,
          idealOutput: row.idealOutput,
          metadata: { ...source },
        },
        (rowTrace) => {
          recording = rowTrace
          return plan.run(row, rowTrace)
        },
      )
      return { output }
    } catch (error) {
      return { output: undefined, error }
    }
  }
  const outcome = await run()
  const durationMs = performance.now() - startedAt
  const rowScores: RowScores<Scores> =
    'error' in outcome ? { scores: {}, comments: {} } : await evaluateRow(plan, row, outcome.output)
  // Safe: the function above has already been called.
  const rowTrace = recording as unknown as TraceRecording
  sendScores(delivery, rowTrace, rowScores)
  return {
    ...outcome,
    ...('error' in rowScores ? { error: rowScores.error } : {}),
    row,
    scores: rowScores.scores,
    durationMs,
    trace: rowTrace,
  }
}

interface RowScores<Scores extends string> {
  readonly scores: Partial<Record<Scores, ScoreValue>>
  readonly comments: Partial<Record<Scores, string>>
  readonly error?: unknown
}

/** Runs all evaluators, even if one of them fails. */
async function evaluateRow<Scores extends string>(
  { evaluators }: ExperimentPlan<Scores>,
  row: DatasetRow,
  output: unknown,
): Promise<RowScores<Scores>> {
  const scores: Partial<Record<Scores, ScoreValue>> = {}
  const comments: Partial<Record<Scores, string>> = {}
  const errors: unknown[] = []
  // Safe: the keys of the object are the names of the scores.
  const names = Object.keys(evaluators ?? {}) as Scores[]
  await Promise.all(
    names.map(async (name) => {
      try {
        const result = await evaluators![name]({ row, output })
        scores[name] = typeof result === 'object' ? result.value : result
        if (typeof result === 'object' && result.comment !== undefined) comments[name] = result.comment
      } catch (error) {
        errors.push(error)
      }
    }),
  )
  return errors.length === 0 ? { scores, comments } : { scores, comments, error: errors[0] }
}

/** Sends scores after their trace. */
function sendScores<Scores extends string>(
  delivery: Delivery,
  { traceId }: TraceRecording,
  { scores, comments }: RowScores<Scores>,
): void {
  for (const [name, value] of Object.entries(scores))
    delivery.addScore(JSON.stringify({ traceId, name, value, comment: comments[name as Scores] }), traceId)
}
