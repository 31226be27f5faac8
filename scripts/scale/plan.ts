/** What carries so many logs a day: nodes, shards, disks and network, from the unit costs. */
import { costs } from './costs.ts'

export interface Plan {
  readonly logsPerDay: number
  readonly averageTracesPerSecond: number
  readonly peakTracesPerSecond: number
  /** Cores that only accept; PostgreSQL or a log takes the records. */
  readonly acceptCores: number
  /** Cores that make rows, insert and merge. */
  readonly drainCores: number
  /** Of eight cores each, at half of their load. */
  readonly nodes: number
  readonly terabytesForThirtyDays: number
  readonly receivedMegabytesPerSecond: number
}

/** The busiest hour has so many times the average. */
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
