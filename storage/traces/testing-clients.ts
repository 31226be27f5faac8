/** Clients of an engine of their own, for tests below the store that cut its work short. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clients, openClients } from './clients.ts'
import { migrate } from './migrate.ts'

/** Clients with all tables, in a folder that goes when they are closed. One at a time in a process. */
export async function openTestClients(): Promise<Clients> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-traces-'))
  const clients = openClients({ folder })
  await migrate(clients, { isOurs: true })
  return {
    ...clients,
    async close() {
      await clients.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export class Killed extends Error {}

/** The same clients until so many statements have changed something; the next one is not even begun. */
export function killedAfter(statements: number, clients: Clients): Clients {
  let left = statements
  const counted = async (work: () => Promise<void>): Promise<void> => {
    if (left === 0) throw new Killed()
    left -= 1
    await work()
  }
  return {
    ...clients,
    insert: (...insert) => counted(() => clients.insert(...insert)),
    command: (...command) => counted(() => clients.command(...command)),
  }
}
