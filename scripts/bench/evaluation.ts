/**
 * Compares recording while one trace in ten is judged with recording alone. The machine is shared, so rounds come in
 * pairs with alternating order, and the median of the ratios within pairs is reported.
 */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Round } from '../bench.ts'
import { traceBodies } from './bodies.ts'
import type { Child } from './child.ts'
import { apiKey } from './metrics.ts'
import type { Figure } from './print.ts'
import type { ServerFigures } from './server.ts'

type Server = Child<object, ServerFigures>

interface Settings {
  readonly folder: string
  readonly rounds: number
  readonly startServer: (kind: string, argument: string) => Promise<Server>
  readonly round: (server: Server, requests: readonly string[], isService: boolean) => Promise<Round>
  readonly create: (port: number, path: string, body: object) => Promise<void>
  readonly post: (path: string, body: string) => string
}

/** Each trace refers to all of these evaluators. */
const evaluators = [
  { slug: 'contains', kind: 'contains', config: { value: 'a' } },
  { slug: 'length', kind: 'length', config: { max: 1000 } },
  { slug: 'secrets', kind: 'secrets', config: {} },
]

interface Measurement {
  readonly round: Round
  /** From the end of the load until no evaluation was waiting. */
  readonly seconds: number
}

export async function measureEvaluation(settings: Settings): Promise<Figure[]> {
  const { startServer, create, post, round, rounds } = settings
  const service = await startServer('service', join(settings.folder, 'evaluating'))
  const { port } = service.ready
  for (const evaluator of evaluators)
    await create(port, '/evaluators', { ...evaluator, name: evaluator.slug })
  const withConfig = (config: object): string[] =>
    traceBodies(true).map((body) => {
      const references = evaluators.map(({ slug }) => ({ slug }))
      const trace = { ...JSON.parse(body), evaluators: references, evaluationConfig: config }
      return post('/monitor/trace', JSON.stringify(trace))
    })
  const requests = { on: withConfig({}), off: withConfig({ sampleRate: 0 }) }
  const measure = async (what: 'on' | 'off'): Promise<Measurement> => {
    const figures = await round(service, requests[what], true)
    const startedAt = performance.now()
    // Work deferred during recording must not run in the next round.
    await waitUntilEvaluated(port)
    return { round: figures, seconds: figures.drainSeconds + (performance.now() - startedAt) / 1000 }
  }
  const pairs: { withRules: Measurement; withoutRules: Measurement }[] = []
  // The first pair is a warm-up.
  for (let time = 0; time <= rounds; time++) {
    const first = time % 2 === 0 ? 'off' : 'on'
    const firstResult = await measure(first)
    const secondResult = await measure(first === 'off' ? 'on' : 'off')
    if (time > 0)
      pairs.push(
        first === 'off'
          ? { withoutRules: firstResult, withRules: secondResult }
          : { withRules: firstResult, withoutRules: secondResult },
      )
  }
  await checkAllScored(port)
  await service.stop()

  const medianFigure = (
    figure: (pair: { withRules: Measurement; withoutRules: Measurement }) => number,
  ): number => median(pairs.map(figure))
  const ratio = { target: { atLeast: 0.95 }, unit: '' }
  const plain = { target: undefined, unit: 'traces/s' }
  return [
    {
      name: 'Recording, one trace in ten judged',
      value: medianFigure(({ withRules }) => withRules.round.perSecond),
      ...plain,
    },
    {
      name: 'Recording, none judged',
      value: medianFigure(({ withoutRules }) => withoutRules.round.perSecond),
      ...plain,
    },
    {
      name: 'Evaluation on / off, median of pairs',
      value: medianFigure(
        ({ withRules, withoutRules }) => withRules.round.perSecond / withoutRules.round.perSecond,
      ),
      ...ratio,
    },
    {
      name: '  including the time until drained',
      value: medianFigure(
        ({ withRules, withoutRules }) => withRules.round.sustained / withoutRules.round.sustained,
      ),
      ...ratio,
    },
    {
      name: '  CPU of the main thread, each, on',
      value: medianFigure(({ withRules }) => withRules.round.mainCpuUs),
      target: undefined,
      unit: 'us',
    },
    {
      name: '  CPU of the main thread, each, off',
      value: medianFigure(({ withoutRules }) => withoutRules.round.mainCpuUs),
      target: undefined,
      unit: 'us',
    },
    {
      name: '  p99, on',
      value: medianFigure(({ withRules }) => withRules.round.p99Ms),
      target: undefined,
      unit: 'ms',
    },
    {
      name: '  p99, off',
      value: medianFigure(({ withoutRules }) => withoutRules.round.p99Ms),
      target: undefined,
      unit: 'ms',
    },
    {
      name: '  everything is judged after',
      value: medianFigure(({ withRules }) => withRules.seconds),
      target: undefined,
      unit: 's',
    },
    {
      name: '  evaluations of a round',
      value: medianFigure(({ withRules }) => (withRules.round.answered * evaluators.length) / 10),
      target: undefined,
      unit: '',
    },
  ]
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] as number

/** Waits until no evaluation is waiting. */
async function waitUntilEvaluated(port: number): Promise<void> {
  for (;;) {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    const counts = [...text.matchAll(/^plumbline_evaluations\{.*\} (\d+)/gm)].map(([, count]) =>
      Number(count),
    )
    if (counts.length > 0 && counts.every((count) => count === 0)) return
    await pause(50)
  }
}

/** Throws unless each evaluator has scored each sampled trace. */
async function checkAllScored(port: number): Promise<void> {
  const ask = async (path: string): Promise<unknown> =>
    (
      await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${apiKey}` } })
    ).json()
  const { entries } = (await ask('/monitor/ledger')) as { entries: { sampled: number }[] }
  const { rows } = (await ask('/metrics/query?measures=scores')) as { rows: { scores: number }[] }
  const sampledCount = entries.reduce((sum, { sampled }) => sum + sampled, 0)
  const scores = rows[0]?.scores ?? 0
  if (sampledCount === 0 || scores !== sampledCount * evaluators.length)
    throw new Error(`${sampledCount} traces were drawn, and there are ${scores} scores.`)
}
