/** Inputs and outputs of a generated session. */
import type { InputOf, operations, SingleLog, Trace } from '@plumbline/sdk'
import type { People, Person } from './people.ts'
import type { Run, RunParts } from './run.ts'

export type PlannedScore = Omit<InputOf<typeof operations.scores.create>, 'traceId'>

interface PlannedItem {
  readonly scores: readonly PlannedScore[]
  /** Whether the service is expected to warn about it. */
  readonly isOdd?: boolean
}

export type PlannedTrace = PlannedItem & { readonly type: 'trace'; readonly body: Trace }
/** For POST /monitor/log. */
export type PlannedLog = PlannedItem & { readonly type: 'log'; readonly body: SingleLog }
export type PlannedRecord = PlannedTrace | PlannedLog

export interface Scene extends RunParts {
  readonly people: People
  /** `metadata.demo` of every generated trace, by which they are distinguished and counted. */
  readonly mark: string
  /** Experiment ids by name. */
  readonly experiments: ReadonlyMap<string, string>
}

/** Generates a session that starts at a time: one record for each turn. */
export type Session = (scene: Scene, startMs: number) => Iterable<PlannedRecord>

/** The deployment fields that each application of the company sends with its traces. */
export const deploymentOf = (
  { random }: Scene,
  progress: number,
): { readonly environment: string; readonly release: string } => ({
  environment: random.chance(0.94) ? 'production' : 'staging',
  release: `2.${40 + Math.floor(progress * 9)}.0`,
})

/** The trace of a finished run. */
export function traceOf(
  scene: Scene,
  run: Run,
  person: Person,
  { metadata, ...fields }: Trace & { metadata: Record<string, unknown> },
): Trace {
  return {
    ...fields,
    startTime: run.startTime,
    endTime: run.time(),
    user: person.user,
    organization: person.organization,
    ...deploymentOf(scene, run.progress),
    metadata: { demo: scene.mark, ...metadata },
    logs: run.logs,
  }
}
