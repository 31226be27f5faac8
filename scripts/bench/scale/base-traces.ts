/**
 * Traces that `fill.ts` copies. Their texts are sentences from this documentation, so that words are distributed as in
 * prose.
 */
import { globSync, readFileSync } from 'node:fs'
import { seededRandom } from '../../../server/src/statistics/seeded-random.ts'

export const baseTraces = 1000
export const logsPerTrace = 4
/** The release that marks the base traces to copy. */
export const baseRelease = 'base'

const models = ['gpt-4o', 'gpt-4o-mini', 'claude-sonnet-4-5', 'gemini-2.5-flash', 'mistral-large']
const names = ['answer a question', 'summarize', 'classify a ticket', 'extract entities', 'plan a journey']
const startMs = Date.UTC(2026, 0, 1)

/** Sentences in file order; Markdown syntax is kept, as in many prompts. */
function sentences(): string[] {
  const root = new URL('../../../', import.meta.url)
  const texts = globSync('docs/*.md', { cwd: root }).map((file) => readFileSync(new URL(file, root), 'utf8'))
  return texts.flatMap((text) => text.split(/(?<=[.:])\s+/)).filter((text) => text.length > 40)
}

/** Bodies of POST /monitor/trace, the same ones in each run. */
export function makeBaseTraces(): string[] {
  const random = seededRandom(7)
  const all = sentences()
  // Squaring favours the first values: some models, names and tenants have most of the traffic.
  const choose = <Value>(values: readonly Value[]): Value =>
    values[Math.floor(random() ** 2 * values.length)] as Value
  const text = (length: number): string => {
    let content = ''
    while (content.length < length) content += `${all[Math.floor(random() * all.length)]} `
    return content
  }
  return Array.from({ length: baseTraces }, (_, index) => {
    const generation = (id: string) => ({
      id,
      parentId: 'root',
      type: 'generation',
      name: 'call',
      input: [
        { role: 'system', content: text(200) },
        { role: 'user', content: text(300) },
      ],
      output: text(200 + 400 * random()),
      metadata: {
        provider: 'open-ai',
        model: choose(models),
        ...(random() < 0.03 && { error: text(40) }),
      },
      inputTokens: Math.floor(100 + 900 * random()),
      outputTokens: Math.floor(50 + 400 * random()),
    })
    return JSON.stringify({
      name: choose(names),
      user: { id: `user-${index}`, name: 'Ada' },
      sessionId: `session-${index}`,
      environment: choose(['production', 'staging', 'test']),
      release: baseRelease,
      tags: [choose(['chat', 'batch', 'eval', 'beta'])],
      input: text(150),
      output: text(200),
      metadata: { region: choose(['eu', 'us', 'ap']), tenant: `tenant-${Math.floor(random() ** 3 * 200)}` },
      startTime: new Date(startMs).toISOString(),
      endTime: new Date(startMs + 500 + Math.floor(20_000 * random() ** 4)).toISOString(),
      logs: [
        { id: 'root', type: 'span', name: 'run' },
        { id: 'find', parentId: 'root', type: 'retrieval', input: text(60), output: [text(200)] },
        generation('draft'),
        generation('final'),
      ],
    })
  })
}

/** A tenant with only two or three of the traces. */
export function rareTenant(): string {
  const tenants = makeBaseTraces().map((body) => (JSON.parse(body) as BaseTrace).metadata.tenant)
  const tracesOf = Map.groupBy(tenants, (tenant) => tenant)
  return tenants.find((tenant) => [2, 3].includes(tracesOf.get(tenant)?.length ?? 0)) as string
}

interface BaseTrace {
  readonly metadata: { readonly tenant: string }
}
