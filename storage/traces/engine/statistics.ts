import type { StoreStatistics } from '../types.ts'
import type { Clients } from './clients.ts'

/** The number of active parts and their size on disk. */
export async function readStatistics(clients: Clients): Promise<StoreStatistics> {
  const [row] = await clients.read<{ parts: string; bytes: string }>(
    `SELECT toString(count()) AS parts, toString(sum(bytes_on_disk)) AS bytes FROM system.parts
     WHERE active AND database = currentDatabase()`,
    {},
  )
  return { activeParts: Number(row?.parts ?? 0), bytesOnDisk: Number(row?.bytes ?? 0) }
}
