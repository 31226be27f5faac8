/**
 * V8's scavenges under GET, over several starts: whether they are long is decided early in a process and then stays.
 * Long ones show that objects of requests outlive the young generation.
 */
import { join } from 'node:path'
import type { Child } from './child.ts'
import type { LoadFigures, LoadOrder } from './load.ts'
import type { Figure } from './print.ts'
import type { ServerFigures } from './server.ts'

interface ScavengeParts {
  readonly folder: string
  readonly load: Child<LoadOrder, LoadFigures>
  readonly startServer: (kind: string, argument: string) => Promise<Child<object, ServerFigures>>
  readonly preparePrompt: (port: number) => Promise<void>
  readonly request: string
}

const starts = 5
const seconds = 3
/** Long ones take over 30 ms and promote over 1,800 bytes; a busy machine adds some milliseconds, and compiled code some bytes. */
const medianMsMax = 10
const promotedBytesMax = 1000
/** Per start. */
const warmUpSeconds = 1

export async function measureScavenges(parts: ScavengeParts): Promise<Figure[]> {
  const all: { ms: readonly number[]; promoted: number }[] = []
  for (let start = 0; start < starts; start++) {
    const server = await parts.startServer('service', join(parts.folder, `scavenges-${start}`))
    const { port } = server.ready
    await parts.preparePrompt(port)
    const order = { port, requests: [parts.request], connections: 64 }
    await parts.load.ask({ ...order, seconds: warmUpSeconds })
    await server.ask({})
    const { answered } = await parts.load.ask({ ...order, seconds })
    const { scavengesMs, oldBytesGrown } = await server.ask({})
    all.push({ ms: scavengesMs.toSorted((a, b) => a - b), promoted: oldBytesGrown / answered })
    await server.stop()
  }
  const every = all.flatMap(({ ms }) => ms).toSorted((a, b) => a - b)
  const figure = (name: string, value: number, unit: string, target?: Figure['target']): Figure => ({
    name,
    value,
    unit,
    target,
  })
  return [
    figure(`Scavenges of GET, ${starts} starts: p50`, quantile(every, 0.5), 'ms'),
    figure('  p99', quantile(every, 0.99), 'ms'),
    figure('  p50 of the worst start', Math.max(...all.map(({ ms }) => quantile(ms, 0.5))), 'ms', {
      atMost: medianMsMax,
    }),
    figure(
      '  promoted for each request, worst start',
      Math.max(...all.map(({ promoted }) => promoted)),
      'bytes',
      { atMost: promotedBytesMax },
    ),
  ]
}

const quantile = (sortedValues: readonly number[], fraction: number): number =>
  sortedValues[Math.min(sortedValues.length - 1, Math.floor(sortedValues.length * fraction))] ?? 0
