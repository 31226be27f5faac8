/**
 * `npm run bench [-- --json file] [--otlp] [--evaluation] [--masking] [--scavenges] [--peers] [--scale LOGS]`, and
 * `--disk [folder]` alone: the cost of recording and serving, compared with a minimal server in Node. Rounds of the
 * servers alternate within a run and medians are printed, since machines are shared: look at the ratios first.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { hostEnvironment } from '../fixtures/environment.ts'
import { traceBodies } from './bench/bodies.ts'
import { type Child, startChild } from './bench/child.ts'
import { measureDisk } from './bench/disk.ts'
import { measureEvaluation } from './bench/evaluation.ts'
import type { LoadFigures, LoadOrder } from './bench/load.ts'
import { measureMasking } from './bench/masking.ts'
import { apiKey, readMetrics, type ServiceCounts } from './bench/metrics.ts'
import { measureOtlp } from './bench/otlp.ts'
import { measurePeers } from './bench/peers/measure-peers.ts'
import { type Figure, print } from './bench/print.ts'
import { measureScale } from './bench/scale/measure-scale.ts'
import { measureScavenges } from './bench/scavenges.ts'
import type { ServerFigures } from './bench/server.ts'
import { waitUntilRest } from './bench/wait-until-rest.ts'

type Server = Child<object, ServerFigures>

const diskFlagIndex = process.argv.indexOf('--disk')
if (diskFlagIndex !== -1) {
  await measureDisk(process.argv[diskFlagIndex + 1])
  process.exit()
}

/** Higher values give more stable figures on a shared machine. */
const rounds = Number(hostEnvironment.BENCH_ROUNDS ?? 5)
const roundSeconds = Number(hostEnvironment.BENCH_ROUND_SECONDS ?? 3)
const connections = 64
const offeredPerSecond = 2000
const offeredSeconds = 5
/** Memory is measured a minute after the start or a burst, once the service has returned what it no longer needs. */
const restSeconds = 60

const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
const started: Server[] = []
const startServer = async (kind: string, argument: string): Promise<Server> => {
  const server = await startChild<object, ServerFigures>('./server.ts', [kind, argument])
  started.push(server)
  return server
}
// As after `npm ci`, in case sources have changed since.
execFileSync(process.execPath, [join(import.meta.dirname, '../server/strip-sources.mjs')])
const load = await startChild<LoadOrder, LoadFigures>('./load.ts', [])

const head = (method: string, path: string): string =>
  `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${apiKey}\r\n`
const post = (path: string, body: string): string =>
  `${head('POST', path)}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
const get = (path: string): string => `${head('GET', path)}\r\n`

const tracesWithTokens = traceBodies(true).map((body) => post('/monitor/trace', body))
const tracesWithoutTokens = traceBodies(false).map((body) => post('/monitor/trace', body))
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] as number

/** Waits until the spool is empty; returns how long that took. */
async function waitUntilDrained({ ready: { port } }: Server): Promise<number> {
  const startedAt = performance.now()
  while ((await readMetrics(port)).spoolRecords > 0) await pause(50)
  return (performance.now() - startedAt) / 1000
}

export interface Round extends LoadFigures {
  /** Acknowledged records per second, including the time until all are in the trace store. */
  readonly sustained: number
  readonly drainSeconds: number
  /** CPU per request of the server's main thread, and of its whole process until the spool is empty. */
  readonly mainCpuUs: number
  readonly serverCpuUs: number
  /** CPU per request of its whole process until it is idle, after the merges that a burst leaves behind. */
  readonly restedCpuUs: number
}

/** One round of one server, which starts and ends idle. */
async function runRound(server: Server, requests: readonly string[], isService: boolean): Promise<Round> {
  await server.ask({})
  const figures = await load.ask({ port: server.ready.port, requests, connections, seconds: roundSeconds })
  if (figures.failed > 0) throw new Error(`${figures.failed} requests failed.`)
  const drainSeconds = isService ? await waitUntilDrained(server) : 0
  const { mainCpuSeconds, cpuSeconds } = await server.ask({})
  // Otherwise the next round would share the machine with the remaining work.
  const laterCpuSeconds = isService ? await waitUntilRest(server) : 0
  return {
    ...figures,
    drainSeconds,
    sustained: figures.answered / (roundSeconds + drainSeconds),
    mainCpuUs: (mainCpuSeconds * 1e6) / figures.answered,
    serverCpuUs: (cpuSeconds * 1e6) / figures.answered,
    restedCpuUs: ((cpuSeconds + laterCpuSeconds) * 1e6) / figures.answered,
  }
}

function medianOf(all: readonly Round[]): Round {
  const medianField = (field: keyof Round): number => median(all.map((each) => each[field]))
  return {
    perSecond: medianField('perSecond'),
    answered: medianField('answered'),
    failed: medianField('failed'),
    p50Ms: medianField('p50Ms'),
    p99Ms: medianField('p99Ms'),
    cpuUs: medianField('cpuUs'),
    sustained: medianField('sustained'),
    drainSeconds: medianField('drainSeconds'),
    mainCpuUs: medianField('mainCpuUs'),
    serverCpuUs: medianField('serverCpuUs'),
    restedCpuUs: medianField('restedCpuUs'),
  }
}

/** Rounds of several servers in alternation. */
async function alternate<Name extends string>(
  runs: Readonly<Record<Name, () => Promise<Round>>>,
  times: number,
): Promise<Record<Name, Round>> {
  const names = Object.keys(runs) as Name[]
  const all = names.map((): Round[] => [])
  // The first round is a warm-up.
  for (let time = 0; time <= times; time++) {
    for (const [index, name] of names.entries()) {
      const figures = await runs[name]()
      if (time > 0) all[index]?.push(figures)
    }
  }
  // Safe: there is one entry for each name.
  return Object.fromEntries(names.map((name, index) => [name, medianOf(all[index] ?? [])])) as Record<
    Name,
    Round
  >
}

const count = (end: ServiceCounts, start: ServiceCounts, field: keyof ServiceCounts): number =>
  end[field] - start[field]

const figure = (name: string, value: number, unit: string, target?: Figure['target']): Figure => ({
  name,
  value,
  unit,
  target,
})

async function measure(): Promise<Figure[]> {
  const first = await startServer('service', join(folder, 'service'))
  await first.stop()
  const service = await startServer('service', join(folder, 'service'))
  const fleeting = await startServer('fleeting', join(folder, 'fleeting'))
  const barePost = await startServer('bare-post', '')
  await preparePrompt(service.ready.port)
  const bareGet = await startServer('bare-get', `http://127.0.0.1:${service.ready.port}/prompts/greeting`)
  // All servers idle equally long: the system may reclaim pages of an idle process, which costs it time later.
  await rest()
  const idle = await service.ask({})
  const gets = [get('/prompts/greeting')]
  const reads = await alternate(
    { bare: () => runRound(bareGet, gets, false), service: () => runRound(service, gets, false) },
    rounds,
  )
  const posts = await alternate(
    {
      bare: () => runRound(barePost, tracesWithTokens, false),
      durable: () => runRound(service, tracesWithTokens, true),
      fleeting: () => runRound(fleeting, tracesWithTokens, true),
      counted: () => runRound(service, tracesWithoutTokens, true),
    },
    rounds,
  )
  const loaded = await service.ask({})
  await rest()
  const rested = await service.ask({})
  return [
    ...figuresOfPosts(posts),
    ...figuresOfReads(reads),
    ...(await measureOffered(service, barePost)),
    figure('Ready, first start', first.readyMs, 'ms'),
    figure('Ready, later', service.readyMs, 'ms'),
    figure('Memory, idle', idle.rssBytes / 2 ** 20, 'MiB', { atMost: 350 }),
    figure('Memory, after the rounds', loaded.rssBytes / 2 ** 20, 'MiB'),
    figure('  a minute later', rested.rssBytes / 2 ** 20, 'MiB', { atMost: 500 }),
    figure('CPU of the load, for each POST', posts.durable.cpuUs, 'us'),
  ]
}

const rest = (): Promise<void> => pause(restSeconds * 1000)

const figuresOfPosts = (
  posts: Readonly<Record<'bare' | 'durable' | 'fleeting' | 'counted', Round>>,
): Figure[] => [
  figure('POST /monitor/trace, tokens given', posts.durable.perSecond, 'traces/s'),
  figure('  counting the time until it is drained', posts.durable.sustained, 'traces/s'),
  figure('  drained after', posts.durable.drainSeconds, 's'),
  figure('  p50', posts.durable.p50Ms, 'ms'),
  figure('  p99', posts.durable.p99Ms, 'ms'),
  figure('  CPU of the main thread, each', posts.durable.mainCpuUs, 'us'),
  figure('  CPU of the whole server, each', posts.durable.serverCpuUs, 'us'),
  figure('  the same, counting what it does until it rests', posts.durable.restedCpuUs, 'us'),
  figure('POST /monitor/trace, tokens absent', posts.counted.perSecond, 'traces/s'),
  figure('  counting the time until it is drained', posts.counted.sustained, 'traces/s'),
  figure('Without durability', posts.fleeting.perSecond, 'traces/s'),
  figure('  CPU of the main thread, each', posts.fleeting.mainCpuUs, 'us'),
  figure('Bare node:http and JSON.parse', posts.bare.perSecond, 'traces/s'),
  figure('  CPU of the main thread, each', posts.bare.mainCpuUs, 'us'),
  figure('Durable / bare', posts.durable.perSecond / posts.bare.perSecond, '', { atLeast: 0.4 }),
  figure('  counting the time until it is drained', posts.durable.sustained / posts.bare.perSecond, '', {
    atLeast: 0.2,
  }),
  figure('  the same, tokens absent', posts.counted.sustained / posts.bare.perSecond, '', {
    atLeast: 0.13,
  }),
  figure('  CPU of the whole server / bare', posts.durable.serverCpuUs / posts.bare.serverCpuUs, '', {
    atMost: 8,
  }),
  figure('Durable / without durability', posts.durable.perSecond / posts.fleeting.perSecond, '', {
    atLeast: 0.7,
  }),
]

const figuresOfReads = (reads: Readonly<Record<'bare' | 'service', Round>>): Figure[] => [
  figure('GET /prompts/{slug}', reads.service.perSecond, 'requests/s'),
  figure('  CPU of the main thread, each', reads.service.mainCpuUs, 'us'),
  figure('  p50', reads.service.p50Ms, 'ms'),
  figure('  p99', reads.service.p99Ms, 'ms'),
  figure('Bare node:http, same bytes', reads.bare.perSecond, 'requests/s'),
  figure('  CPU of the main thread, each', reads.bare.mainCpuUs, 'us'),
  figure('GET / bare', reads.service.perSecond / reads.bare.perSecond, '', { atLeast: 0.7 }),
  figure('  p99 / bare', reads.service.p99Ms / reads.bare.p99Ms, '', { atMost: 3 }),
]

/** An open-loop load, which does not wait for responses, on both servers in turn. */
async function measureOffered(service: Server, bare: Server): Promise<Figure[]> {
  const offer = {
    requests: tracesWithTokens,
    connections,
    seconds: offeredSeconds,
    perSecond: offeredPerSecond,
  }
  const all: { bare: LoadFigures; service: LoadFigures; during: ServerFigures; drainSeconds: number }[] = []
  const before = await readMetrics(service.ready.port)
  for (let round = 0; round < rounds; round++) {
    const bareOffered = await load.ask({ ...offer, port: bare.ready.port })
    await service.ask({})
    const offered = await load.ask({ ...offer, port: service.ready.port })
    const drainSeconds = await waitUntilDrained(service)
    all.push({ bare: bareOffered, service: offered, during: await service.ask({}), drainSeconds })
  }
  const after = await readMetrics(service.ready.port)
  const medianOfAll = (read: (round: (typeof all)[number]) => number): number => median(all.map(read))
  const inserts = count(after, before, 'inserts')
  const minutes = all.reduce((sum, { during }) => sum + during.wallSeconds, 0) / 60
  const p99Ms = medianOfAll((round) => round.service.p99Ms)
  return [
    figure(
      `At ${offeredPerSecond} traces/s offered: ack p50`,
      medianOfAll((round) => round.service.p50Ms),
      'ms',
    ),
    figure('  ack p99, median of rounds', p99Ms, 'ms', { atMost: 15 }),
    figure('  of the worst round', Math.max(...all.map((round) => round.service.p99Ms)), 'ms'),
    figure('  ack p99 / bare', p99Ms / medianOfAll((round) => round.bare.p99Ms), '', { atMost: 4 }),
    figure(
      '  event-loop delay p99',
      medianOfAll(({ during }) => during.loopDelayP99Ms),
      'ms',
    ),
    figure('  event-loop delay, longest', Math.max(...all.map(({ during }) => during.loopDelayMaxMs)), 'ms'),
    figure(
      '  CPU of the server',
      medianOfAll(({ during }) => during.cpuSeconds / during.wallSeconds),
      'cores',
    ),
    figure('  rows per insert', count(after, before, 'rowsInserted') / inserts, 'rows'),
    figure('  inserts per minute', inserts / minutes, ''),
    figure('  active parts, change per minute', count(after, before, 'activeParts') / minutes, ''),
    figure(
      '  drained after',
      medianOfAll(({ drainSeconds }) => drainSeconds),
      's',
    ),
  ]
}

async function create(port: number, path: string, body: object): Promise<void> {
  const { status } = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (status !== 201) throw new Error(`${path} answered ${status}.`)
}

async function preparePrompt(port: number): Promise<void> {
  const send = (path: string, body: object): Promise<void> => create(port, path, body)
  await send('/prompts', { slug: 'greeting', name: 'Greeting' })
  await send('/prompts/greeting/versions', {
    text: 'Answer the question of {{ name }} in one sentence. '.repeat(10),
    systemText: 'You are a careful assistant.',
    model: { provider: 'open-ai', client: 'open-ai', model: 'gpt-4o', version: 'latest' },
    tags: ['production'],
  })
}

/** The number after a flag. */
function argumentOf(flag: string): number | undefined {
  const value = process.argv[process.argv.indexOf(`--${flag}`) + 1]
  return value === undefined || !/^\d+$/.test(value) ? undefined : Number(value)
}

try {
  const only = ['recording', 'otlp', 'evaluation', 'masking', 'scavenges', 'peers', 'scale'].filter((part) =>
    process.argv.includes(`--${part}`),
  )
  const isMeasured = (part: string): boolean => only.length === 0 || only.includes(part)
  const figures = [
    ...(isMeasured('recording') ? await measure() : []),
    ...(isMeasured('evaluation')
      ? await measureEvaluation({ folder, rounds, startServer, round: runRound, create, post })
      : []),
    ...(isMeasured('otlp') ? await measureOtlp({ folder, rounds, startServer }) : []),
    ...(isMeasured('scavenges')
      ? await measureScavenges({
          folder,
          load,
          startServer,
          preparePrompt,
          request: get('/prompts/greeting'),
        })
      : []),
    ...(isMeasured('masking') ? await measureMasking(rounds) : []),
    // Only on request: it takes minutes and gigabytes of disk space.
    ...(only.includes('scale')
      ? await measureScale({ folder, logs: argumentOf('scale') ?? 1_000_000, startServer })
      : []),
    // Only on request: it installs the peers from PyPI.
    ...(only.includes('peers') ? await measurePeers(folder, rounds) : []),
  ]
  print(figures)
  const flagIndex = process.argv.indexOf('--json')
  if (flagIndex > 0)
    writeFileSync(process.argv[flagIndex + 1] ?? 'bench.json', `${JSON.stringify(figures, null, 2)}\n`)
} finally {
  await Promise.all([load, ...started].map((child) => child.stop()))
  rmSync(folder, { recursive: true, force: true })
}
