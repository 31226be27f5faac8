/** What people would have set up by hand: features, prompts, datasets, experiments, evaluators, keys, a price. */
import { RequestFailed } from '@plumbline/sdk'
import type { Client } from './client.ts'
import { defineConnection } from './connection.ts'
import { makeDatasets } from './datasets.ts'
import { models } from './material/models.ts'
import { type DemoPrompt, prompts } from './material/prompts.ts'
import { evaluators, experiments, features, keys, price } from './material/workspace.ts'

/** By kind: how many were made, and how many were there already. */
export type Made = Map<string, { made: number; kept: number }>

export interface Defined {
  readonly made: Made
  /** Ids of the experiments, by their names. */
  readonly experiments: ReadonlyMap<string, string>
}

/** Sets everything up that is not there yet. */
export async function define(client: Client, seed: number, now: Date): Promise<Defined> {
  const made: Made = new Map()
  for (const feature of features) await ensure(made, 'features', () => client.features.create(feature))
  for (const prompt of prompts) await definePrompt(client, made, prompt)
  const { id: connectionId, isNew } = await defineConnection(client)
  count(made, 'connections', isNew ? 'made' : 'kept')
  for (const evaluator of evaluators) {
    const config = evaluator.kind === 'llm' ? { connectionId, ...evaluator.config } : evaluator.config
    await ensure(made, 'evaluators', () => client.evaluators.create({ ...evaluator, config }))
  }
  await defineDatasets(client, made, seed)
  await defineKeys(client, made, now)
  const { priceOverrides } = await client.prices.list({})
  if (priceOverrides.some(({ model }) => model === price.model)) count(made, 'price overrides', 'kept')
  else await ensure(made, 'price overrides', () => client.prices.create(price))
  return { made, experiments: await defineExperiments(client, made) }
}

async function definePrompt(client: Client, made: Made, prompt: DemoPrompt): Promise<void> {
  const { slug, name, featureSlug, description } = prompt
  await ensure(made, 'prompts', () => client.prompts.create({ slug, name, featureSlug, description }))
  for (const { version, model, text, systemText, message, parameters } of prompt.versions) {
    const { provider, client: library, model: modelName, version: modelVersion } = models[model]
    const of = { provider, client: library, model: modelName, version: modelVersion, parameters }
    await ensure(made, 'prompt versions', () =>
      client.versions.create({ slug, version, text, systemText, message, model: of }),
    )
  }
  const moves = [
    ...prompt.live.map(([, version]) => ['production', version] as const),
    ...(prompt.tags ?? []),
  ]
  const past = await client.prompts.history({ slug })
  const alreadyMoved = past.moves.filter(({ tag }) => tag !== 'latest').length
  for (const [at, [newTag, version]] of moves.entries()) {
    if (at < alreadyMoved) count(made, 'tag moves', 'kept')
    else await ensure(made, 'tag moves', () => client.prompts.publish({ slug, newTag, version }))
  }
}

async function defineDatasets(client: Client, made: Made, seed: number): Promise<void> {
  for (const { slug, name, columns, rows } of makeDatasets(seed)) {
    await ensure(made, 'datasets', () => client.datasets.create({ slug, name, columns: [...columns] }))
    const { datasets } = await client.datasets.list({})
    const there = datasets.find((dataset) => dataset.slug === slug)?.rowCount ?? 0
    for (const [at, row] of rows.entries()) {
      if (at < there) count(made, 'dataset rows', 'kept')
      else await ensure(made, 'dataset rows', () => client.datasets.add({ slug, ...row }))
    }
  }
}

async function defineKeys(client: Client, made: Made, now: Date): Promise<void> {
  const { apiKeys } = await client.keys.list({})
  for (const { name, scopes, expiresInDays, isRevoked } of keys) {
    if (apiKeys.some((key) => key.name === name)) {
      count(made, 'API keys', 'kept')
      continue
    }
    const expiresAt =
      expiresInDays === undefined ? null : new Date(now.getTime() + expiresInDays * 86_400_000).toISOString()
    const { apiKey } = await client.keys.create({ name, scopes, expiresAt })
    if (isRevoked) await client.keys.delete({ id: apiKey.id })
    count(made, 'API keys', 'made')
  }
}

async function defineExperiments(client: Client, made: Made): Promise<ReadonlyMap<string, string>> {
  const { experiments: there } = await client.experiments.list({ limit: 1000 })
  const ids = new Map(there.map(({ name, id }) => [name, id]))
  for (const { name, featureSlug } of experiments) {
    if (ids.has(name)) {
      count(made, 'experiments', 'kept')
      continue
    }
    const { id } = await client.experiments.create({ name, featureSlug })
    ids.set(name, id)
    count(made, 'experiments', 'made')
  }
  return ids
}

/** Makes a thing; one that is there already is kept. */
async function ensure(made: Made, kind: string, create: () => Promise<unknown>): Promise<void> {
  try {
    await create()
    count(made, kind, 'made')
  } catch (error) {
    if (!(error instanceof RequestFailed) || error.status !== 409) throw error
    count(made, kind, 'kept')
  }
}

function count(made: Made, kind: string, what: 'made' | 'kept'): void {
  const counts = made.get(kind) ?? { made: 0, kept: 0 }
  counts[what]++
  made.set(kind, counts)
}
