/**
 * Nodes that share a spool in PostgreSQL, as queues: each has one commit at a time, which includes everything queued
 * meanwhile.
 */
import { costs } from './costs.ts'

export interface SharedSpoolLoad {
  readonly nodes: number
  /** Writers of all nodes; each appends a record once its last one is acknowledged. */
  readonly writers: number
  readonly seconds: number
  /** CPU of PostgreSQL and the node per record. */
  readonly recordUs: number
  /** The share of a core that a commit gets; less than 1 if other programs use the same cores. */
  readonly coreShare: number
  /** How long a writer waits before its next record, at random around this. */
  readonly pauseUs?: number
  readonly random: () => number
}

export interface SharedSpoolFigures {
  readonly recordsPerSecond: number
  readonly ackP50Ms: number
  /** Cores in use by PostgreSQL and the nodes. */
  readonly cpu: number
}

interface Node {
  /** When each record waiting for the next commit was appended. */
  queuedUs: number[]
  committingUs: number[]
  commitEndUs: number
}

export function simulateSharedSpool(load: SharedSpoolLoad): SharedSpoolFigures {
  const { writers, seconds, recordUs, coreShare, pauseUs = 0, random } = load
  const endUs = seconds * 1e6
  const nodes = Array.from(
    { length: load.nodes },
    (): Node => ({ queuedUs: [], committingUs: [], commitEndUs: Number.POSITIVE_INFINITY }),
  )
  const nextPauseUs = (): number => -Math.log(1 - random()) * pauseUs
  /** When each writer appends next; infinite while its record waits. The writer's number determines its node. */
  const appendsUs = Array.from({ length: writers }, (_, writer) => nextPauseUs() + writer)
  const acksUs: number[] = []

  const begin = (node: Node, nowUs: number): void => {
    node.committingUs = node.queuedUs
    node.queuedUs = []
    node.commitEndUs =
      node.committingUs.length === 0
        ? Number.POSITIVE_INFINITY
        : nowUs + costs.syncUs + (node.committingUs.length * recordUs) / coreShare
  }

  for (;;) {
    const [writer, appendUs] = earliest(appendsUs)
    const [index, commitEndUs] = earliest(nodes.map((node) => node.commitEndUs))
    const nowUs = Math.min(appendUs, commitEndUs)
    if (nowUs > endUs) break
    if (appendUs <= commitEndUs) {
      const node = nodes[writer % nodes.length]!
      node.queuedUs.push(appendUs)
      appendsUs[writer] = Number.POSITIVE_INFINITY
      // Appends at the same time share the commit.
      if (!Number.isFinite(node.commitEndUs) && !appendsUs.some((otherUs) => otherUs <= nowUs))
        begin(node, nowUs)
      continue
    }
    const node = nodes[index]!
    let woken = node.committingUs.length
    for (const queuedUs of node.committingUs) acksUs.push(nowUs - queuedUs)
    for (let other = index; other < writers && woken > 0; other += nodes.length)
      if (!Number.isFinite(appendsUs[other]!)) {
        appendsUs[other] = nowUs + nextPauseUs()
        woken -= 1
      }
    begin(node, nowUs)
  }
  acksUs.sort((first, second) => first - second)
  return {
    recordsPerSecond: acksUs.length / seconds,
    ackP50Ms: (acksUs[acksUs.length >> 1] ?? 0) / 1000,
    cpu: (acksUs.length * recordUs) / endUs,
  }
}

function earliest(timesUs: readonly number[]): [index: number, timeUs: number] {
  let index = 0
  for (let other = 1; other < timesUs.length; other++) if (timesUs[other]! < timesUs[index]!) index = other
  return [index, timesUs[index] ?? Number.POSITIVE_INFINITY]
}
