/** An annotation queue with scores by two annotators, to show their agreement. They are API keys, since a demo invites nobody. */
import type { Client } from './client.ts'
import type { SetupCounts } from './define.ts'
import { makeRandom } from './random.ts'

const queueName = 'Tone of support answers'
const evaluatorSlug = 'human-tone'
const choices = ['friendly', 'neutral', 'curt'] as const
const itemCount = 24

/** The number of items that each one has annotated, and how often they agree with others. */
const annotators = [
  { name: 'Mira Novak', itemCount: 18, agreement: 0.95 },
  { name: 'Tom Okafor', itemCount: 15, agreement: 0.85 },
] as const

const reasons: Readonly<Record<(typeof choices)[number], string>> = {
  friendly: 'Warm, and it says what comes next.',
  neutral: 'Right, and no more than that.',
  curt: 'One could read it as annoyed.',
}

interface AnnotationParts {
  readonly client: Client
  readonly connectAs: (key: string) => Client
  readonly setupCounts: SetupCounts
  readonly seed: number
}

/** Creates the queue unless it exists. */
export async function annotate({ client, connectAs, setupCounts, seed }: AnnotationParts): Promise<void> {
  const { queues } = await client.annotationQueues.list({})
  if (queues.some(({ name }) => name === queueName)) {
    setupCounts.set('annotation', { made: 0, alreadyThere: 1 })
    return
  }
  const { queue } = await client.annotationQueues.create({
    name: queueName,
    instructions:
      'Read the answer as the customer would. **The tone counts, not whether it is right**; somebody else looks at that.',
    evaluatorSlugs: [evaluatorSlug],
    annotatorsPerItem: 2,
    feed: { featureSlug: 'support-chat', share: 0.02 },
  })
  const filter = { featureSlug: 'support-chat' }
  await client.annotationQueues.add({
    id: queue.id,
    filter,
    count: itemCount,
    isRandom: true,
    seed: `${seed}`,
  })
  for (const [index, { name, itemCount: count, agreement }] of annotators.entries()) {
    const { apiKey, secret } = await client.keys.create({ name, scopes: ['manage'] })
    const annotator = connectAs(secret)
    for (let done = 0; done < count; done++) {
      const { item } = await annotator.annotationQueues.next({ id: queue.id })
      if (item === null) break
      const common = makeRandom(seed, textSeed(item.traceId))
      const usual = common.chance(0.5) ? 'friendly' : common.pick(choices)
      const own = makeRandom(seed, index, textSeed(item.traceId))
      const value = own.chance(agreement) ? usual : own.pick(choices)
      await annotator.annotationQueues.submit({
        id: queue.id,
        itemId: item.id,
        scores: [{ evaluatorSlug, value }],
        ...(own.chance(0.4) && { comment: reasons[value] }),
      })
    }
    await client.keys.delete({ id: apiKey.id })
  }
  setupCounts.set('annotation', { made: 1, alreadyThere: 0 })
}

/** A seed from the end of an id. */
const textSeed = (id: string): number => Number.parseInt(id.slice(-6), 16)
