/**
 * Sends the same exports to each peer in turn and measures what it acknowledges, what its own API shows, the cost, and
 * what a kill right after the last acknowledgement loses.
 */
import { mkdirSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { makeExport, spansPerExport, tracesPerExport } from '../otlp-bodies.ts'
import type { Figure } from '../print.ts'
import { freePort, type Peer, peers } from './peers.ts'
import { bytesOnDisk, type ProcessGroup } from './process-group.ts'

const connections = 8
const startTimeoutMs = 120_000
/** Traces that are missing after this long without a change will not arrive. */
const visibleTimeoutMs = 60_000
/** The target ratio of visible spans per second to those of the peer. */
const targets: Readonly<Record<string, number>> = { Phoenix: 100, MLflow: 50 }

interface Running {
  readonly peer: Peer
  readonly folder: string
  readonly port: number
  group: ProcessGroup
  acknowledged: number
  readonly idleBytes: number
  readonly rounds: Round[]
}

interface Round {
  readonly acknowledgedPerSecond: number
  readonly visiblePerSecond: number
  readonly cpuUs: number
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
const urlOf = ({ port }: { readonly port: number }): string => `http://127.0.0.1:${port}`

export async function measurePeers(folder: string, rounds: number): Promise<Figure[]> {
  const running: Running[] = []
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  try {
    for (const peer of peers) {
      const started = await startPeer(peer, join(folder, peer.name.toLowerCase()))
      if (started !== undefined) running.push(started)
    }
    // The first round is a warm-up.
    for (let time = 0; time <= rounds; time++)
      for (const each of running) {
        const round = await runRound(each)
        if (time > 0) each.rounds.push(round)
      }
    const [ours] = running
    const figures: Figure[] = []
    for (const each of running) figures.push(...(await figuresOf(each, ours)))
    return figures
  } finally {
    await Promise.all(running.map(({ group }) => group.kill('SIGKILL')))
  }
}

async function startPeer(peer: Peer, folder: string): Promise<Running | undefined> {
  try {
    peer.prepare()
  } catch (error) {
    console.log(`${peer.name} NOT MEASURED: ${error instanceof Error ? error.message : error}`)
    return undefined
  }
  mkdirSync(folder, { recursive: true })
  const port = await freePort()
  const group = peer.start(folder, port)
  try {
    await waitUntilReady(peer, port)
  } catch (error) {
    await group.kill('SIGKILL')
    throw error
  }
  return { peer, folder, port, group, acknowledged: 0, idleBytes: group.memoryBytes(), rounds: [] }
}

async function waitUntilReady(peer: Peer, port: number): Promise<void> {
  const until = performance.now() + startTimeoutMs
  for (;;) {
    try {
      await peer.countTraces(urlOf({ port }))
      return
    } catch (error) {
      if (performance.now() > until) throw new Error(`${peer.name} did not start.`, { cause: error })
      await pause(500)
    }
  }
}

async function runRound(run: Running): Promise<Round> {
  const cpuBefore = run.group.cpuSeconds()
  const startedAt = performance.now()
  const spans = (await sendExports(run)) * spansPerExport
  const acknowledgedSeconds = (performance.now() - startedAt) / 1000
  await waitUntilVisible(run)
  const visibleSeconds = (performance.now() - startedAt) / 1000
  return {
    acknowledgedPerSecond: spans / acknowledgedSeconds,
    visiblePerSecond: spans / visibleSeconds,
    cpuUs: ((run.group.cpuSeconds() - cpuBefore) * 1e6) / spans,
  }
}

/** Returns how many exports were acknowledged. */
async function sendExports(run: Running): Promise<number> {
  const { peer, port } = run
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let remaining = peer.exportsPerRound
  let acknowledged = 0
  const write = async (): Promise<void> => {
    const message = makeExport()
    while (remaining-- > 0) {
      const status = await post({ agent, port, headers: peer.headers }, message.next())
      if (status === 200) acknowledged += 1
    }
  }
  await Promise.all(Array.from({ length: connections }, write))
  agent.destroy()
  run.acknowledged += acknowledged * tracesPerExport
  return acknowledged
}

interface Target {
  readonly agent: Agent
  readonly port: number
  readonly headers: Readonly<Record<string, string>>
}

function post({ agent, port, headers }: Target, bytes: Buffer): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const allHeaders = {
      ...headers,
      'content-type': 'application/x-protobuf',
      'content-length': bytes.length,
    }
    const options = {
      agent,
      host: '127.0.0.1',
      port,
      method: 'POST',
      path: '/v1/traces',
      headers: allHeaders,
    }
    request(options, (response) => response.resume().on('end', () => resolve(response.statusCode)))
      .on('error', reject)
      .end(bytes)
  })
}

/** Returns how many traces are missing in the end. */
async function waitUntilVisible({ peer, port, acknowledged }: Running): Promise<number> {
  let last = { count: -1, atMs: performance.now() }
  for (;;) {
    const count = await peer.countTraces(urlOf({ port }))
    if (count >= acknowledged) return 0
    if (count !== last.count) last = { count, atMs: performance.now() }
    if (performance.now() - last.atMs > visibleTimeoutMs) return acknowledged - count
    await pause(100)
  }
}

async function figuresOf(run: Running, ours: Running | undefined): Promise<Figure[]> {
  const { peer, rounds, idleBytes, group, folder, acknowledged } = run
  const figure = (name: string, value: number, unit: string, target?: Figure['target']): Figure => ({
    name: `${peer.name}: ${name}`,
    value,
    unit,
    target,
  })
  const visible = median(rounds.map(({ visiblePerSecond }) => visiblePerSecond))
  const oursVisible = median(ours?.rounds.map(({ visiblePerSecond }) => visiblePerSecond) ?? [])
  const target = targets[peer.name]
  const afterBytes = group.memoryBytes()
  const diskBytes = bytesOnDisk(folder) / (acknowledged * (spansPerExport / tracesPerExport))
  const { lost, killed } = await kill(run)
  return [
    figure('acknowledged', median(rounds.map((round) => round.acknowledgedPerSecond)), 'spans/s'),
    figure('shown by its own API', visible, 'spans/s'),
    figure('CPU', median(rounds.map(({ cpuUs }) => cpuUs)), 'us a span'),
    figure('on disk, before merges', diskBytes, 'bytes/span'),
    figure('memory at rest', idleBytes / 2 ** 20, 'MiB'),
    figure('memory after the rounds', afterBytes / 2 ** 20, 'MiB'),
    figure(`lost at kill -9, of ${killed} traces`, lost, 'traces', ours === run ? { atMost: 0 } : undefined),
    ...(target === undefined
      ? []
      : [figure('our visible spans/s over its', oursVisible / visible, '', { atLeast: target })]),
  ]
}

/** Kills a server right after the last acknowledgement of a round, and counts what is missing once it runs again. */
async function kill(run: Running): Promise<{ lost: number; killed: number }> {
  const { peer, folder, port } = run
  const before = run.acknowledged
  await sendExports(run)
  await run.group.kill('SIGKILL')
  run.group = peer.start(folder, port)
  await waitUntilReady(peer, port)
  return { lost: await waitUntilVisible(run), killed: run.acknowledged - before }
}
