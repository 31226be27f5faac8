/**
 * Adds stored traces to an experiment: first corrects the hourly sums, under a token, then patches the rows. Running it
 * again with the same token after a crash gives the same result.
 */
import { uuidPattern } from '@plumbline/contract/uuids'
import type { Clients } from '../engine/clients.ts'
import { addSums, logsHourly, tracesHourly } from '../metrics/hourly-sums.ts'
import { matchTraces, workspacesOf } from './trace-keys.ts'
import type { ExperimentJoin } from './write-types.ts'

const settings =
  "SETTINGS enable_lightweight_update = 1, lightweight_deletes_sync = 2, update_parallel_mode = 'sync'"

/** Moves traces and their logs; all traces of an experiment are sampled. */
export async function joinExperiment(
  clients: Clients,
  { experimentId, keys, token }: ExperimentJoin,
): Promise<void> {
  if (keys.length === 0 || !uuidPattern.test(experimentId)) return
  const workspaces = workspacesOf(keys)
  for (const [table, columns] of [
    ['traces', tracesHourly],
    ['logs', logsHourly],
  ] as const) {
    const rows = `${matchTraces(table, keys)} AND experiment_id IS NULL`
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
    const samplingColumns =
      table === 'traces' ? ", sampled = true, sample_rate = 1, sampled_by = 'experiment'" : ''
    await clients.command(
      `UPDATE ${table} SET experiment_id = '${experimentId}'${samplingColumns} WHERE ${rows} ${settings}`,
      workspaces,
    )
  }
}
