/** What every made-up session is made with and makes. */
import type { InputOf, operations, SingleLog, Trace } from '@plumbline/sdk'
import type { People, Person } from './people.ts'
import type { Run, RunParts } from './run.ts'

export type PlannedScore = Omit<InputOf<typeof operations.scores.create>, 'traceId'>

interface Planned {
  readonly scores: readonly PlannedScore[]
  /** Whether the service is meant to warn of it. */
  readonly isOdd?: boolean
}

export type PlannedTrace = Planned & { readonly of: 'trace'; readonly body: Trace }
/** For POST /monitor/log. */
export type PlannedLog = Planned & { readonly of: 'log'; readonly body: SingleLog }
export type PlannedRecord = PlannedTrace | PlannedLog

export interface Scene extends RunParts {
  readonly people: People
  /** Stands in `metadata.demo` of every made-up trace, so that they can be counted and told from others. */
  readonly mark: string
  /** Ids of the experiments, by their names. */
  readonly experiments: ReadonlyMap<string, string>
}

/** Makes one session that begins at a time: one record for each turn. */
export type Session = (scene: Scene, startMs: number) => Iterable<PlannedRecord>

/** Metadata that the company's applications send with each trace. */
export function metadataOf(
  { mark, random }: Scene,
  passed: number,
  fields: Record<string, unknown>,
): Record<string, unknown> {
  return {
    demo: mark,
    env: random.chance(0.94) ? 'production' : 'staging',
    release: `2.${40 + Math.floor(passed * 9)}.0`,
    ...fields,
  }
}

/** The trace of a run that has come to its end. */
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
    metadata: metadataOf(scene, run.passed, metadata),
    logs: run.logs,
  }
}
