/** Clients of a separate engine, for tests that interrupt the store's work. */
import { rmSync } from 'node:fs'
import { type Clients, openClients } from '../engine/clients.ts'
import { migrate } from '../engine/migrate.ts'
import { makeTraceFolder } from './testing-folder.ts'

/** Clients with all tables, in a folder that is deleted on close. One at a time per process. */
export async function openTestClients(): Promise<Clients> {
  const folder = await makeTraceFolder()
  const clients = openClients({ folder })
  await migrate(clients, { isOurs: true })
  // As the service does after startup.
  clients.replacements.note({ endRevision: 1, isOneUnfinished: false })
  return {
    ...clients,
    async close() {
      await clients.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export class KilledError extends Error {}

/** The same clients, but after `statements` writes the next one throws without starting. */
export function killAfter(statements: number, clients: Clients): Clients {
  let remaining = statements
  const countDown = async (work: () => Promise<void>): Promise<void> => {
    if (remaining === 0) throw new KilledError()
    remaining -= 1
    await work()
  }
  return {
    ...clients,
    insert: (...insert) => countDown(() => clients.insert(...insert)),
    command: (...command) => countDown(() => clients.command(...command)),
    maintain: (...command) => countDown(() => clients.maintain(...command)),
  }
}
