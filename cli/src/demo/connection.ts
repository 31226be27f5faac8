/** The connection that the demo's model judge asks. It leads nowhere, since a demo sends nothing anywhere: what waits for it says what is missing. */
import type { Client } from './client.ts'

const connection = {
  name: 'Example: give it an address and a key',
  provider: 'openai-compatible' as const,
  // A name that is kept for examples, and that no network knows.
  baseUrl: 'https://models.example/v1',
  models: ['gpt-4o-mini'],
  concurrencyMax: 4,
  spendMaxPerDay: 5,
}

/** The id of the connection, and whether it was made now. */
export async function defineConnection(client: Client): Promise<{ id: string; isNew: boolean }> {
  const { connections } = await client.connections.list({})
  const there = connections.find(({ name }) => name === connection.name)
  if (there !== undefined) return { id: there.id, isNew: false }
  const made = await client.connections.create(connection)
  return { id: made.connection.id, isNew: true }
}
