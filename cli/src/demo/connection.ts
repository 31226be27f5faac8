/** The connection of the demo's LLM evaluator, which runs only on request. Its host does not exist, since a demo sends nothing. */
import type { Client } from './client.ts'

const connection = {
  name: 'Example: give it an address and a key',
  provider: 'openai-compatible' as const,
  // A host name reserved for examples.
  baseUrl: 'https://models.example/v1',
  models: ['gpt-4o-mini'],
  concurrencyMax: 4,
  spendMaxPerDay: 5,
}

/** Creates the connection unless it exists. */
export async function defineConnection(client: Client): Promise<{ id: string; isNew: boolean }> {
  const { connections } = await client.connections.list({})
  const existing = connections.find(({ name }) => name === connection.name)
  if (existing !== undefined) return { id: existing.id, isNew: false }
  const created = await client.connections.create(connection)
  return { id: created.connection.id, isNew: true }
}
