/**
 * A running rollout with its results so far, and one that was rolled back. Its calls are recorded with the current time,
 * since a rollout compares only traces recorded after its start.
 */
import type { Client } from './client.ts'
import type { SetupCounts } from './define.ts'
import { makePeople } from './people.ts'
import { makeRandom, type Random } from './random.ts'
import { writeTime } from './run.ts'

const promptSlug = 'docs-rewrite'
const candidateVersion = '1.1.0'
const share = 0.25
const concurrency = 16

/** Results of both versions: the candidate is better but costs more. */
const outcomes = {
  baseline: { durationMs: 640, outputTokens: 12, cost: 0.000_041, findRate: 0.71 },
  candidate: { durationMs: 820, outputTokens: 14, cost: 0.000_112, findRate: 0.84 },
} as const

const questions = [
  'wie aendere ich die lieferadresse',
  'webhook ERR_SIGNATURE_MISMATCH after key rotation',
  'refund partial order two currencies',
  'etiquettes retour imprimer en masse',
  'sync stopped since yesterday',
]

/** `metadata.demo` of the rollout's traces, which sets them apart from those of sessions. */
export const rolloutMark = (seed: number): string => `rollout-${seed}`

/** The number of rollout calls among a number of traces. */
export const rolloutCalls = (traces: number): number => Math.min(400, Math.floor(traces / 10))

interface RolloutParts {
  readonly client: Client
  readonly setupCounts: SetupCounts
  readonly seed: number
  readonly calls: number
}

/** Starts the rollout unless there is one, and records its calls. Returns the number of traces and scores. */
export async function rollOut({
  client,
  setupCounts,
  seed,
  calls,
}: RolloutParts): Promise<{ traces: number; scores: number }> {
  const { rollouts } = await client.rollouts.list({ promptSlug })
  if (rollouts.length > 0) {
    setupCounts.set('rollouts', { made: 0, alreadyThere: rollouts.length })
    return { traces: 0, scores: 0 }
  }
  const first = await client.rollouts.create({ promptSlug, candidateVersion: '0.9.0', share: 0.05 })
  const reason = 'It translated product names. Nobody found “Versandetikett” as “shipping sticker”.'
  await client.rollouts.rollback({ id: first.rollout.id, reason })
  const { alerts } = await client.alerts.list({})
  const alertIds = alerts
    .filter(({ state, name }) => state !== 'firing' && name === 'Daily cost')
    .map(({ id }) => id)
  const { rollout } = await client.rollouts.create({ promptSlug, candidateVersion, share: 0.05, alertIds })
  await client.rollouts.update({ id: rollout.id, share })
  setupCounts.set('rollouts', { made: 2, alreadyThere: 0 })

  const people = makePeople(seed)
  let scores = 0
  const callOnce = async (index: number): Promise<void> => {
    const random = makeRandom(seed, 9, index)
    const { user, organization } = people.customer(random)
    const { prompt } = await client.prompts.get({ slug: promptSlug, targetingKey: user.id })
    const outcome = outcomes[prompt.version === candidateVersion ? 'candidate' : 'baseline']
    const { trace } = await client.monitor.trace({
      ...bodyOf(random, outcome, prompt, Date.now()),
      user,
      organization,
      metadata: { demo: rolloutMark(seed), env: 'production' },
    })
    if (!random.chance(0.6)) return
    await client.scores.create({ traceId: trace.id, name: 'found', value: random.chance(outcome.findRate) })
    scores++
  }
  for (let start = 0; start < calls; start += concurrency)
    await Promise.all(
      Array.from({ length: Math.min(concurrency, calls - start) }, (_, offset) => callOnce(start + offset)),
    )
  return { traces: calls, scores }
}

type Outcome = (typeof outcomes)[keyof typeof outcomes]

interface UsedPrompt {
  readonly slug: string
  readonly version: string
  readonly tag: string
}

function bodyOf(random: Random, outcome: Outcome, { slug, version, tag }: UsedPrompt, nowMs: number) {
  const question = random.pick(questions)
  const hasFailed = random.chance(0.015)
  const output = hasFailed ? null : question.split(' ').slice(0, 4).join(' ')
  const endMs = nowMs + random.around(outcome.durationMs, 0.3)
  const startTime = writeTime(nowMs)
  const generation = {
    id: random.hex(16),
    type: 'generation' as const,
    name: 'rewrite',
    prompt: { slug, version, tag },
    variables: [{ label: 'question', value: question }],
    startTime,
    endTime: writeTime(endMs),
    output,
    inputTokens: random.int(70, 120),
    outputTokens: hasFailed ? 0 : Math.round(random.around(outcome.outputTokens, 0.3)),
    cost: outcome.cost * random.around(1, 0.2),
    metadata: hasFailed ? { error: 'fetch failed: read ECONNRESET' } : {},
  }
  return {
    name: 'Rewrite the query',
    featureSlug: 'docs-search',
    startTime,
    endTime: writeTime(endMs + 5),
    input: question,
    output,
    logs: [generation],
  }
}
