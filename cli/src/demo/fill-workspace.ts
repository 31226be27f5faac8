/** The whole demo: sets up the workspace, then records the missing traces. */
import { defineAlerts } from './alerts.ts'
import { annotate } from './annotation.ts'
import type { Calendar } from './calendar.ts'
import type { Client } from './client.ts'
import { define, type SetupCounts } from './define.ts'
import { markOf, planSessions, planSpecials } from './plan.ts'
import { type RecordCounts, record } from './record.ts'
import { rollOut, rolloutCalls, rolloutMark } from './rollout.ts'
import type { PlannedRecord, PlannedTrace } from './scene.ts'

/** Parts that need a process of their own, because they read files or serve an endpoint. */
export interface LocalParts {
  readonly readFixtureTraces: (calendar: Calendar) => PlannedTrace[]
  readonly runExperiment: (client: Client, setupCounts: SetupCounts) => Promise<void>
}

export interface FillParts {
  readonly client: Client
  /** A client of the same service with another key. */
  readonly connectAs: (key: string) => Client
  readonly seed: number
  /** Total number of traces. */
  readonly traces: number
  readonly days: number
  readonly now: Date
  /** Called with the number of traces to record; the result is called after each. */
  readonly onTraces: (toRecord: number) => () => void
  readonly local?: LocalParts
}

export interface FillResult extends RecordCounts {
  readonly setupCounts: SetupCounts
  /** Traces of this seed that were there before. */
  readonly keptTraces: number
}

/** Fills a workspace. If it is run again, it adds only what is missing. */
export async function fillWorkspace({
  client,
  connectAs,
  seed,
  traces,
  days,
  now,
  onTraces,
  local,
}: FillParts): Promise<FillResult> {
  const { setupCounts, experiments } = await define(client, seed, now)
  const parts = { seed, nowMs: now.getTime(), days }
  const existingCount = await countMarked(client, markOf(seed))
  const calls = rolloutCalls(traces)
  const specials = planSpecials(parts, local?.readFixtureTraces)
  const targetCount = Math.max(existingCount, traces - specials.length - calls, 1)
  const sessions = planSessions({ ...parts, experiments })
  const onRecord = onTraces(targetCount - existingCount + (existingCount === 0 ? specials.length : 0))
  const recorded = await record(client, missingRecords(), onRecord)
  await waitUntilStored(client, seed, targetCount)
  await defineAlerts(client, setupCounts)
  const keptCalls = await countMarked(client, rolloutMark(seed))
  const rollout = await rollOut({ client, setupCounts, seed, calls })
  await local?.runExperiment(client, setupCounts)
  await annotate({ client, connectAs, setupCounts, seed })
  const keptTraces = existingCount === 0 ? 0 : existingCount + specials.length + keptCalls
  const [traceCount, scores] = [recorded.traces + rollout.traces, recorded.scores + rollout.scores]
  return { ...recorded, setupCounts, keptTraces, traces: traceCount, scores }

  function* missingRecords(): Generator<PlannedRecord> {
    if (existingCount === 0) yield* specials
    if (targetCount === existingCount) return
    let index = 0
    for (const planned of sessions) {
      if (index >= existingCount) yield planned
      if (++index === targetCount) return
    }
  }
}

const storeTimeoutMs = 30_000

/** Waits until metrics show the traces, since alerts are checked as soon as they exist. */
async function waitUntilStored(client: Client, seed: number, targetCount: number): Promise<void> {
  for (let waitedMs = 0; waitedMs < storeTimeoutMs; waitedMs += 200) {
    if ((await countMarked(client, markOf(seed))) >= targetCount) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** Counts traces with a mark. Edge cases and fixtures have none, and are recorded first. */
async function countMarked(client: Client, mark: string): Promise<number> {
  const filters = JSON.stringify({ 'metadata.demo': mark })
  const { rows } = await client.metrics.query({ measures: 'traces', filters })
  return Number(rows[0]?.traces ?? 0)
}
