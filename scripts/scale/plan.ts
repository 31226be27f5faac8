/** The nodes, shards, disks and network needed for a number of logs per day, from the unit costs. */
import { costs } from './costs.ts'

export interface Plan {
  readonly logsPerDay: number
  readonly averageTracesPerSecond: number
  readonly peakTracesPerSecond: number
  /** Cores for accepting only; PostgreSQL or a log stores the records. */
  readonly acceptCores: number
  /** Cores for building rows, inserts and merges. */
  readonly drainCores: number
  /** With eight cores each, at half load. */
  readonly nodes: number
  readonly terabytesForThirtyDays: number
  readonly receivedMegabytesPerSecond: number
}

/** The ratio of the busiest hour to the average. */
const peakFactor = 3
const coresPerNode = 8
const utilization = 0.5

export function planFor(logsPerDay: number): Plan {
  const tracesPerDay = logsPerDay / costs.logsPerTrace
  const averageTracesPerSecond = tracesPerDay / 86_400
  const peakTracesPerSecond = averageTracesPerSecond * peakFactor
  const acceptCores = (peakTracesPerSecond * costs.acceptUs) / 1e6
  const drainCores = (peakTracesPerSecond * costs.drainUs) / 1e6
  return {
    ...{ logsPerDay, averageTracesPerSecond, peakTracesPerSecond, acceptCores, drainCores },
    nodes: Math.max(1, Math.ceil((acceptCores + drainCores) / (coresPerNode * utilization))),
    terabytesForThirtyDays: (tracesPerDay * 30 * costs.storedBytes) / 1e12,
    receivedMegabytesPerSecond: (peakTracesPerSecond * costs.receivedBytes) / 1e6,
  }
}
