/** The setup of the workspace: features, prompts, datasets, experiments, evaluators, keys, a price override. */
import { RequestFailed } from '@plumbline/sdk'
import type { Client } from './client.ts'
import { defineConnection } from './connection.ts'
import { makeDatasets } from './datasets.ts'
import { models } from './material/models.ts'
import { type DemoPrompt, prompts } from './material/prompts.ts'
import { evaluators, experiments, features, keys, price } from './material/workspace.ts'

/** By kind: how many were created, and how many existed already. */
export type SetupCounts = Map<string, { made: number; alreadyThere: number }>

export interface Setup {
  readonly setupCounts: SetupCounts
  /** Experiment ids by name. */
  readonly experiments: ReadonlyMap<string, string>
}

/** Creates what does not exist yet. */
export async function define(client: Client, seed: number, now: Date): Promise<Setup> {
  const setupCounts: SetupCounts = new Map()
  for (const feature of features) await ensure(setupCounts, 'features', () => client.features.create(feature))
  for (const prompt of prompts) await definePrompt(client, setupCounts, prompt)
  const { id: connectionId, isNew } = await defineConnection(client)
  count(setupCounts, 'connections', isNew ? 'made' : 'alreadyThere')
  for (const evaluator of evaluators) {
    const config = evaluator.kind === 'llm' ? { connectionId, ...evaluator.config } : evaluator.config
    await ensure(setupCounts, 'evaluators', () => client.evaluators.create({ ...evaluator, config }))
  }
  await defineDatasets(client, setupCounts, seed)
  await defineKeys(client, setupCounts, now)
  const { priceOverrides } = await client.prices.list({})
  if (priceOverrides.some(({ model }) => model === price.model))
    count(setupCounts, 'price overrides', 'alreadyThere')
  else await ensure(setupCounts, 'price overrides', () => client.prices.create(price))
  return { setupCounts, experiments: await defineExperiments(client, setupCounts) }
}

async function definePrompt(client: Client, setupCounts: SetupCounts, prompt: DemoPrompt): Promise<void> {
  const { slug, name, featureSlug, description } = prompt
  await ensure(setupCounts, 'prompts', () => client.prompts.create({ slug, name, featureSlug, description }))
  for (const { version, model, text, systemText, message, parameters } of prompt.versions) {
    const { provider, client: library, model: modelName, version: modelVersion } = models[model]
    const modelInput = { provider, client: library, model: modelName, version: modelVersion, parameters }
    await ensure(setupCounts, 'prompt versions', () =>
      client.versions.create({ slug, version, text, systemText, message, model: modelInput }),
    )
  }
  const moves = [
    ...prompt.live.map(([, version]) => ['production', version] as const),
    ...(prompt.tags ?? []),
  ]
  const history = await client.prompts.history({ slug })
  const existingMoves = history.moves.filter(({ tag }) => tag !== 'latest').length
  for (const [index, [newTag, version]] of moves.entries()) {
    if (index < existingMoves) count(setupCounts, 'tag moves', 'alreadyThere')
    else await ensure(setupCounts, 'tag moves', () => client.prompts.publish({ slug, newTag, version }))
  }
}

async function defineDatasets(client: Client, setupCounts: SetupCounts, seed: number): Promise<void> {
  for (const { slug, name, columns, rows } of makeDatasets(seed)) {
    await ensure(setupCounts, 'datasets', () => client.datasets.create({ slug, name, columns: [...columns] }))
    const { datasets } = await client.datasets.list({})
    const existingCount = datasets.find((dataset) => dataset.slug === slug)?.rowCount ?? 0
    for (const [index, row] of rows.entries()) {
      if (index < existingCount) count(setupCounts, 'dataset rows', 'alreadyThere')
      else await ensure(setupCounts, 'dataset rows', () => client.datasets.add({ slug, ...row }))
    }
  }
}

async function defineKeys(client: Client, setupCounts: SetupCounts, now: Date): Promise<void> {
  const { apiKeys } = await client.keys.list({})
  for (const { name, scopes, expiresInDays, isRevoked } of keys) {
    if (apiKeys.some((key) => key.name === name)) {
      count(setupCounts, 'API keys', 'alreadyThere')
      continue
    }
    const expiresAt =
      expiresInDays === undefined ? null : new Date(now.getTime() + expiresInDays * 86_400_000).toISOString()
    const { apiKey } = await client.keys.create({ name, scopes, expiresAt })
    if (isRevoked) await client.keys.delete({ id: apiKey.id })
    count(setupCounts, 'API keys', 'made')
  }
}

async function defineExperiments(
  client: Client,
  setupCounts: SetupCounts,
): Promise<ReadonlyMap<string, string>> {
  const { experiments: existing } = await client.experiments.list({ limit: 1000 })
  const ids = new Map(existing.map(({ name, id }) => [name, id]))
  for (const { name, featureSlug } of experiments) {
    if (ids.has(name)) {
      count(setupCounts, 'experiments', 'alreadyThere')
      continue
    }
    const { id } = await client.experiments.create({ name, featureSlug })
    ids.set(name, id)
    count(setupCounts, 'experiments', 'made')
  }
  return ids
}

/** Creates an entity, or keeps the existing one. */
async function ensure(setupCounts: SetupCounts, kind: string, create: () => Promise<unknown>): Promise<void> {
  try {
    await create()
    count(setupCounts, kind, 'made')
  } catch (error) {
    if (!(error instanceof RequestFailed) || error.status !== 409) throw error
    count(setupCounts, kind, 'alreadyThere')
  }
}

function count(setupCounts: SetupCounts, kind: string, outcome: 'made' | 'alreadyThere'): void {
  const counts = setupCounts.get(kind) ?? { made: 0, alreadyThere: 0 }
  counts[outcome]++
  setupCounts.set(kind, counts)
}
