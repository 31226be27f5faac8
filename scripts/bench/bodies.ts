/** The traces that the benchmark sends: four logs, about 4 KB. */
import { seededRandom } from '../../server/src/statistics/seeded-random.ts'

/** Different bodies are sent in rotation, so that nothing benefits from repeated ones. */
const bodyCount = 64
const words = 'the plumb line hangs true and models answer what people ask of them every single day'.split(
  ' ',
)

/** JSON texts of traces; with token counts, as most clients send them, or without, so that the server counts. */
export function traceBodies(hasTokens: boolean): string[] {
  const random = seededRandom(1)
  const text = (length: number): string => {
    let content = ''
    while (content.length < length) content += `${words[Math.floor(random() * words.length)]} `
    return content
  }
  const generation = (id: string) => ({
    id,
    parentId: 'root',
    type: 'generation',
    name: 'answer',
    startTime: '2025-06-01T10:00:00.100000Z',
    endTime: '2025-06-01T10:00:01.200000Z',
    input: [
      { role: 'system', content: text(250) },
      { role: 'user', content: text(600) },
    ],
    output: text(450),
    metadata: { provider: 'open-ai', model: 'gpt-4o' },
    ...(hasTokens ? { inputTokens: 210, outputTokens: 110 } : {}),
  })
  return Array.from({ length: bodyCount }, (_, index) =>
    JSON.stringify({
      name: 'answer a question',
      user: { id: `user-${index}`, name: 'Ada' },
      input: text(150),
      output: text(300),
      metadata: { sessionId: `session-${index}`, region: 'eu' },
      startTime: '2025-06-01T10:00:00.000000Z',
      endTime: '2025-06-01T10:00:02.000000Z',
      logs: [
        { id: 'root', type: 'span', name: 'run' },
        { id: 'find', parentId: 'root', type: 'retrieval', input: text(60), output: [text(200)] },
        generation('draft'),
        generation('final'),
      ],
    }),
  )
}
