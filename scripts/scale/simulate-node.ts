/** One node as queues: a main thread, a disk whose syncs are shared, and a drain with the cores that are left. */
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
  /** Traces that wait for the trace store at the end. */
  readonly backlog: number
}

/** Requests come at random times; each waits for the main thread, then for the sync that takes it with others. */
export function simulateNode({ tracesPerSecond, cores, seconds, random }: NodeLoad): NodeFigures {
  const endUs = seconds * 1e6
  const acksUs: number[] = []
  let arrivedUs = 0
  let mainFreeUs = 0
  let syncStartUs = Number.NEGATIVE_INFINITY
  while (arrivedUs < endUs) {
    arrivedUs += (-Math.log(1 - random()) * 1e6) / tracesPerSecond
    mainFreeUs = Math.max(mainFreeUs, arrivedUs) + costs.acceptUs
    // A sync begins when the one before it ends; what was ready before it begins is in it.
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

/** The most that a node of so many cores takes and drains for good. */
export const sustainedPerSecond = (cores: number): number =>
  Math.floor((cores * 1e6) / (costs.acceptUs + costs.drainUs))
