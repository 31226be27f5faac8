/**
 * Stored traces join an experiment: the hourly sums are given the difference first, under a token, then the rows are
 * patched. Cut short anywhere and run once more under the same token it comes to the same.
 */
import type { Clients } from './clients.ts'
import { addSums, logsHourly, tracesHourly } from './hourly-sums.ts'
import { at, type TraceKey, workspacesOf } from './trace-keys.ts'

export type Joining = {
  readonly experimentId: string
  /** Traces of no experiment. */
  readonly keys: readonly TraceKey[]
  readonly token: string
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const settings =
  "SETTINGS enable_lightweight_update = 1, lightweight_deletes_sync = 2, update_parallel_mode = 'sync'"

/** Moves traces and their logs; what is drawn of an experiment is all of it. */
export async function joinExperiment(
  clients: Clients,
  { experimentId, keys, token }: Joining,
): Promise<void> {
  if (keys.length === 0 || !uuid.test(experimentId)) return
  const workspaces = workspacesOf(keys)
  for (const [table, columns] of [
    ['traces', tracesHourly],
    ['logs', logsHourly],
  ] as const) {
    const rows = `${at(table, keys)} AND experiment_id IS NULL`
    await addSums(clients, {
      table,
      columns: {
        ...columns,
        keys: { ...columns.keys, experiment_id: `if(sign = 1, '${experimentId}', NULL)` },
      },
      rows: `FROM (SELECT *, arrayJoin([1, -1]) AS side FROM ${table} WHERE ${rows}) AS t`,
      sign: 'side',
      workspaces,
      token,
    })
    const drawn = table === 'traces' ? ", sampled = true, sample_rate = 1, sampled_by = 'experiment'" : ''
    await clients.command(
      `UPDATE ${table} SET experiment_id = '${experimentId}'${drawn} WHERE ${rows} ${settings}`,
      workspaces,
    )
  }
}
