/** The demo as a whole: sets the workspace up, then records what is missing of the traces. */
import { defineAlerts } from './alerts.ts'
import { annotate } from './annotation.ts'
import type { Client } from './client.ts'
import { define, type Made } from './define.ts'
import { runExperiment } from './experiment-run.ts'
import { markOf, planSessions, planSpecials } from './plan.ts'
import { type Recorded, record } from './record.ts'
import { rollOut, rolloutCalls, rolloutMark } from './rollout.ts'
import type { PlannedRecord } from './scene.ts'

export interface FillParts {
  readonly client: Client
  /** A client of the same service with another key. */
  readonly connectAs: (key: string) => Client
  readonly seed: number
  /** How many traces there shall be in the end. */
  readonly traces: number
  readonly days: number
  readonly now: Date
  /** Told how many traces are to be recorded, and of each that was. */
  readonly onTraces: (toRecord: number) => () => void
}

export interface Filled extends Recorded {
  readonly made: Made
  /** Traces of this seed that were there before. */
  readonly keptTraces: number
}

/** Fills a workspace. Run again, it adds only what is not there. */
export async function fillWorkspace({
  client,
  connectAs,
  seed,
  traces,
  days,
  now,
  onTraces,
}: FillParts): Promise<Filled> {
  const { made, experiments } = await define(client, seed, now)
  const parts = { seed, nowMs: now.getTime(), days }
  const there = await countMarked(client, markOf(seed))
  const calls = rolloutCalls(traces)
  const specials = planSpecials(parts)
  const wanted = Math.max(there, traces - specials.length - calls, 1)
  const sessions = planSessions({ ...parts, experiments })
  const onSent = onTraces(wanted - there + (there === 0 ? specials.length : 0))
  const recorded = await record(client, missing(), onSent)
  await untilStored(client, seed, wanted)
  await defineAlerts(client, made)
  const keptCalls = await countMarked(client, rolloutMark(seed))
  const rolled = await rollOut({ client, made, seed, calls })
  await runExperiment(client, made)
  await annotate({ client, connectAs, made, seed })
  const keptTraces = there === 0 ? 0 : there + specials.length + keptCalls
  const [sent, scores] = [recorded.traces + rolled.traces, recorded.scores + rolled.scores]
  return { ...recorded, made, keptTraces, traces: sent, scores }

  function* missing(): Generator<PlannedRecord> {
    if (there === 0) yield* specials
    if (wanted === there) return
    let at = 0
    for (const planned of sessions) {
      if (at >= there) yield planned
      if (++at === wanted) return
    }
  }
}

const patienceMs = 30_000

/** Alerts look at what is recorded once they are there, and metrics show it a moment after it was. */
async function untilStored(client: Client, seed: number, wanted: number): Promise<void> {
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += 200) {
    if ((await countMarked(client, markOf(seed))) >= wanted) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** Odd ones and fixtures do not count: they carry no mark, and are sent before the first that does. */
async function countMarked(client: Client, mark: string): Promise<number> {
  const filters = JSON.stringify({ 'metadata.demo': mark })
  const { rows } = await client.metrics.query({ measures: 'traces', filters })
  return Number(rows[0]?.traces ?? 0)
}
