/**
 * Replaces stored traces with newly assembled ones, in steps that can be interrupted and repeated: insert the new rows,
 * correct the hourly sums, delete the old rows. Each insert has a token derived from the revision, so that it happens
 * once; deletes are idempotent. Until the last step both revisions exist, and readers use the higher one.
 */
import type { Clients } from '../engine/clients.ts'
import { addSums, logsHourly, tracesHourly } from '../metrics/hourly-sums.ts'
import type { InsertResult } from '../types.ts'
import { insertBatch } from './insert.ts'
import { matchTraces, workspacesOf } from './trace-keys.ts'
import type { Replacement } from './write-types.ts'

const keysPerDelete = 1000

export const replaceTraces = (clients: Clients, replacement: Replacement): Promise<InsertResult> =>
  clients.replacements.run(replacement.revision, () => replace(clients, replacement))

async function replace(clients: Clients, replacement: Replacement): Promise<InsertResult> {
  const { revision, traces, logs, scores, keys } = replacement
  const token = `assembly ${revision}`
  const result = await insertBatch(clients, { token, traces, logs, scores })
  if (keys.length === 0) return result
  for (const [table, columns] of [
    ['traces', tracesHourly],
    ['logs', logsHourly],
  ] as const)
    await addSums(clients, {
      table,
      columns,
      // Rows of this revision and of lower ones.
      rows: `FROM ${table} AS t WHERE ${matchTraces(table, keys)} AND revision <= ${revision}`,
      sign: `if(revision = ${revision}, 1, -1)`,
      workspaces: workspacesOf(keys),
      token,
    })
  if (replacement.replaces) {
    // Traces first: a log without its trace is invisible, but a trace without its logs would be wrong.
    for (const table of ['traces', 'logs'] as const)
      for (let start = 0; start < keys.length; start += keysPerDelete)
        await clients.command(
          `DELETE FROM ${table} WHERE ${matchTraces(table, keys.slice(start, start + keysPerDelete))} AND revision < ${revision}
           SETTINGS lightweight_delete_mode = 'lightweight_update_force', lightweight_deletes_sync = 2, enable_lightweight_update = 1`,
          workspacesOf(keys),
        )
  }
  return result
}
