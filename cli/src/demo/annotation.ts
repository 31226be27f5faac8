/** A queue that two people have begun to judge, so that their agreement shows. They are keys, since a demo invites nobody. */
import type { Client } from './client.ts'
import type { Made } from './define.ts'
import { makeRandom } from './random.ts'

const queueName = 'Tone of support answers'
const evaluatorSlug = 'human-tone'
const choices = ['friendly', 'neutral', 'curt'] as const
const itemCount = 24

/** How many each has judged so far, and how often they say what the others would. */
const annotators = [
  { name: 'Mira Novak', judged: 18, likeOthers: 0.95 },
  { name: 'Tom Okafor', judged: 15, likeOthers: 0.85 },
] as const

const reasons: Readonly<Record<(typeof choices)[number], string>> = {
  friendly: 'Warm, and it says what comes next.',
  neutral: 'Right, and no more than that.',
  curt: 'One could read it as annoyed.',
}

interface AnnotationParts {
  readonly client: Client
  readonly connectAs: (key: string) => Client
  readonly made: Made
  readonly seed: number
}

/** Sets the queue up where it is not there yet. */
export async function annotate({ client, connectAs, made, seed }: AnnotationParts): Promise<void> {
  const { queues } = await client.annotationQueues.list({})
  if (queues.some(({ name }) => name === queueName)) {
    made.set('annotation', { made: 0, kept: 1 })
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
  for (const [at, { name, judged, likeOthers }] of annotators.entries()) {
    const { apiKey, secret } = await client.keys.create({ name, scopes: ['manage'] })
    const annotator = connectAs(secret)
    for (let turn = 0; turn < judged; turn++) {
      const { item } = await annotator.annotationQueues.next({ id: queue.id })
      if (item === null) break
      const common = makeRandom(seed, textSeed(item.traceId))
      const usual = common.chance(0.5) ? 'friendly' : common.pick(choices)
      const own = makeRandom(seed, at, textSeed(item.traceId))
      const value = own.chance(likeOthers) ? usual : own.pick(choices)
      await annotator.annotationQueues.submit({
        id: queue.id,
        itemId: item.id,
        scores: [{ evaluatorSlug, value }],
        ...(own.chance(0.4) && { comment: reasons[value] }),
      })
    }
    await client.keys.delete({ id: apiKey.id })
  }
  made.set('annotation', { made: 1, kept: 0 })
}

/** The end of an id, as a number. */
const textSeed = (id: string): number => Number.parseInt(id.slice(-6), 16)
