/** How many parts a merge of the embedded engine joins, which only a setting of each table says. */
import type { Clients } from './clients.ts'

const setting = 'max_parts_to_merge_at_once'

/** Sets it for all tables, or has them go by the engine's own limit; changes nothing where that is so already. */
export async function limitPartsPerMerge(
  clients: Pick<Clients, 'read' | 'command'>,
  partsMax: number | undefined,
): Promise<void> {
  const tables = await clients.read<{ name: string; limit: string }>(
    `SELECT name, extract(engine_full, '${setting} = (\\\\d+)') AS limit FROM system.tables
     WHERE database = currentDatabase() AND engine LIKE '%MergeTree'`,
    {},
  )
  for (const { name, limit } of tables) {
    if (limit === String(partsMax ?? '')) continue
    const change =
      partsMax === undefined ? `RESET SETTING ${setting}` : `MODIFY SETTING ${setting} = ${partsMax}`
    await clients.command(`ALTER TABLE ${name} ${change}`)
  }
}
