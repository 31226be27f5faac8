/** One node as queues: a main thread, a disk with shared syncs, and a drain on the remaining cores. */
import { costs } from './costs.ts'

export interface NodeLoad {
  readonly tracesPerSecond: number
  readonly cores: number
  readonly seconds: number
  readonly random: () => number
}

export interface NodeFigures {
  readonly ackP50Ms: number
  readonly ackP99Ms: number
  /** Cores in use. */
  readonly cpu: number
  /** Traces still waiting for the trace store at the end. */
  readonly backlog: number
}

/** Requests come at random times; each waits for the main thread, then for a sync shared with others. */
export function simulateNode({ tracesPerSecond, cores, seconds, random }: NodeLoad): NodeFigures {
  const endUs = seconds * 1e6
  const acksUs: number[] = []
  let arrivedUs = 0
  let mainFreeUs = 0
  let syncStartUs = Number.NEGATIVE_INFINITY
  while (arrivedUs < endUs) {
    arrivedUs += (-Math.log(1 - random()) * 1e6) / tracesPerSecond
    mainFreeUs = Math.max(mainFreeUs, arrivedUs) + costs.acceptUs
    // A sync begins when the previous one ends, and includes everything that is ready by then.
    if (mainFreeUs > syncStartUs + costs.syncUs) syncStartUs = mainFreeUs
    else if (mainFreeUs > syncStartUs) syncStartUs += costs.syncUs
    acksUs.push(syncStartUs + costs.syncUs - arrivedUs)
  }
  acksUs.sort((a, b) => a - b)
  const percentile = (share: number): number => (acksUs[Math.floor(acksUs.length * share)] ?? 0) / 1000
  const accepted = acksUs.length / seconds
  const coresForDrain = Math.max(0, cores - (accepted * costs.acceptUs) / 1e6)
  const drained = Math.min(accepted, (coresForDrain * 1e6) / costs.drainUs)
  return {
    ackP50Ms: percentile(0.5),
    ackP99Ms: percentile(0.99),
    cpu: (accepted * costs.acceptUs + drained * costs.drainUs) / 1e6,
    backlog: Math.round((accepted - drained) * seconds),
  }
}

/** The highest rate that a node with these cores can accept and drain continuously. */
export const sustainedPerSecond = (cores: number): number =>
  Math.floor((cores * 1e6) / (costs.acceptUs + costs.drainUs))
