import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { resultWithin } from '../../result-within.ts'
import { TransactionPooling } from '../errors.ts'
import { probeConnectionOf, probeMs } from './postgres-pool.ts'

/** Several rounds, since a pooler may happen to give a connection the same session twice. */
const rounds = 3

/**
 * Throws `TransactionPooling` if a pooler gives each transaction another session, since a lock would not belong to the
 * connection.
 */
export async function assertOwnSession(url: string): Promise<void> {
  const clients = [1, 2].map(() => new pg.Client(probeConnectionOf(url, 'plumbline start')))
  try {
    for (const client of clients) {
      client.on('error', () => undefined)
      await client.connect()
    }
    const [client, other] = clients as [pg.Client, pg.Client]
    for (let round = 0; round < rounds; round++)
      if (!(await hasOwnSession(client, other))) throw new TransactionPooling()
  } finally {
    // A hanging server would not respond.
    await Promise.all(
      clients.map((client) =>
        resultWithin(
          probeMs,
          client.end().catch(() => undefined),
        ),
      ),
    )
  }
}

/** Whether a connection still has its own session while the other one is in a transaction. */
export async function hasOwnSession(
  client: Pick<pg.Client, 'query'>,
  other: Pick<pg.Client, 'query'>,
): Promise<boolean> {
  const id = randomUUID()
  await client.query(`SELECT set_config('plumbline.session', '${id}', false)`)
  await other.query('BEGIN')
  const ids = [await sessionIdOf(client), await sessionIdOf(other)]
  await other.query('COMMIT')
  return ids[0] === id && ids[1] !== id
}

async function sessionIdOf(client: Pick<pg.Client, 'query'>): Promise<string | null | undefined> {
  const { rows } = await client.query<{ id: string | null }>(
    "SELECT current_setting('plumbline.session', true) AS id",
  )
  return rows[0]?.id
}
