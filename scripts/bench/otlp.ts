/** Durable spans per second over both protocols, compared with a receiver that decodes and drops. */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Child, startChild } from './child.ts'
import { apiKey } from './metrics.ts'
import { tracesPerExport } from './otlp-bodies.ts'
import type { OtlpFigures, OtlpOrder } from './otlp-load.ts'
import type { Figure } from './print.ts'
import type { ServerFigures } from './server.ts'
import { waitUntilRest } from './wait-until-rest.ts'

type Server = Child<object, ServerFigures>

const connections = 16
/** Short, since the spans of a round must be assembled before the next one begins. */
const roundSeconds = 1

/** `own` drops exports like `bare`, but with the service's gRPC server. */
type Side = 'service' | 'bare' | 'own'

interface Settings {
  readonly folder: string
  readonly rounds: number
  readonly startServer: (kind: string, argument: string) => Promise<Server>
}

interface Round extends OtlpFigures {
  /** From the first export until every trace can be listed. */
  readonly assembledPerSecond: number
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] as number

/** How many traces the service has. */
async function countTraces(port: number): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics/query?measures=traces`, {
    headers: { authorization: `Bearer ${apiKey}` },
  })
  const { rows } = (await answer.json()) as { rows: { traces: number }[] }
  return rows[0]?.traces ?? 0
}

export async function measureOtlp({ folder, rounds, startServer }: Settings): Promise<Figure[]> {
  const load = await startChild<OtlpOrder, OtlpFigures>('./otlp-load.ts', [])
  const service = await startServer('service', join(folder, 'otlp'))
  const bare = await startServer('bare-otlp', '')
  const portOf = (side: Side, protocol: OtlpOrder['protocol']): number => {
    const { ready } = side === 'service' ? service : bare
    if (protocol === 'http') return ready.port
    return side === 'own' ? ready.ownGrpcPort : ready.grpcPort
  }
  const measure = async (side: Side, protocol: OtlpOrder['protocol']): Promise<Round> => {
    const server = side === 'service' ? service : bare
    const port = portOf(side, protocol)
    const before = server === service ? await countTraces(server.ready.port) : 0
    const startedAt = performance.now()
    const figures = await load.ask({ protocol, port, connections, seconds: roundSeconds })
    const spans = figures.spansPerSecond
    if (server !== service) return { ...figures, assembledPerSecond: spans }
    const expectedCount = before + figures.exports * tracesPerExport
    while ((await countTraces(server.ready.port)) < expectedCount) await pause(100)
    const seconds = (performance.now() - startedAt) / 1000
    await waitUntilRest(server)
    return { ...figures, assembledPerSecond: (spans * roundSeconds) / seconds }
  }
  const figures: Figure[] = []
  try {
    for (const protocol of ['grpc', 'http'] as const) {
      const all: Record<Side, Round[]> = { service: [], bare: [], own: [] }
      const sides: readonly Side[] = protocol === 'grpc' ? ['bare', 'own', 'service'] : ['bare', 'service']
      // The first round is a warm-up.
      for (let time = 0; time <= rounds; time++) {
        for (const side of sides) {
          const round = await measure(side, protocol)
          if (time > 0) all[side].push(round)
        }
      }
      const medianField = (side: Side, field: keyof Round) => median(all[side].map((each) => each[field]))
      const durable = medianField('service', 'spansPerSecond')
      const words = protocol === 'grpc' ? 'OTLP/gRPC' : 'OTLP/HTTP'
      const figureOf = (name: string, value: number, unit: string): Figure => ({
        name,
        value,
        unit,
        target: undefined,
      })
      const ratio = (name: string, value: number, atLeast: number): Figure => ({
        name,
        value: value / medianField('bare', 'spansPerSecond'),
        unit: '',
        target: { atLeast },
      })
      const figuresOfOwn = (): Figure[] => {
        const spansPerSecond = medianField('own', 'spansPerSecond')
        return [
          figureOf("  decoded and dropped by the service's own gRPC server", spansPerSecond, 'spans/s'),
          figureOf('  durable / that', durable / spansPerSecond, ''),
        ]
      }
      figures.push(
        figureOf(`${words}, durable`, durable, 'spans/s'),
        figureOf(
          '  counting the time until traces are listed',
          medianField('service', 'assembledPerSecond'),
          'spans/s',
        ),
        figureOf('  p50 of an export of 50 spans', medianField('service', 'p50Ms'), 'ms'),
        figureOf('  p99', medianField('service', 'p99Ms'), 'ms'),
        figureOf(`${words}, decoded and dropped`, medianField('bare', 'spansPerSecond'), 'spans/s'),
        ratio('Durable / dropped', durable, protocol === 'grpc' ? 0.7 : 0.5),
        ...(protocol === 'grpc' ? figuresOfOwn() : []),
        ratio(
          '  counting the time until traces are listed',
          medianField('service', 'assembledPerSecond'),
          0.15,
        ),
      )
    }
  } finally {
    await load.stop()
  }
  return figures
}
