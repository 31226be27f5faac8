/** Node metrics for operators: its version, its parts, and the disk. */

import { readFileSync } from 'node:fs'
import { resultWithin } from '@plumbline/storage/result-within'
import { type DiskSpace, spaceOf } from '@plumbline/storage/spool'
import { Gauge, type Registry } from 'prom-client'
import type { HealthCheck } from './health.ts'
import { metricTimeoutMs } from './metric-timeout.ts'

interface ProcessMetricsParts {
  readonly health: HealthCheck
  readonly dataFolder: string
  readonly spoolBytesMax: number
}

export function addProcessMetrics(
  registry: Registry,
  { health, dataFolder, spoolBytesMax }: ProcessMetricsParts,
): void {
  const registers = [registry]
  new Gauge({
    name: 'plumbline_build_info',
    help: 'Always 1; the label is the version.',
    labelNames: ['version'],
    registers,
  }).set({ version: packageVersion() }, 1)
  new Gauge({
    name: 'plumbline_part_up',
    help: '1 if a part responds, 0 if not. Without the spool, the node is not ready.',
    labelNames: ['part'],
    registers,
    async collect() {
      const { problem, degradedParts, areShardsUp } = await health.check()
      this.set({ part: 'spool' }, problem === undefined ? 1 : 0)
      this.set({ part: 'control_plane' }, degradedParts.includes('the control plane') ? 0 : 1)
      this.set({ part: 'trace_store' }, areShardsUp.includes(false) ? 0 : 1)
    },
  })
  new Gauge({
    name: 'plumbline_trace_store_shard_up',
    help: '1 if a trace store shard responds, 0 if not; shard 1 is the whole store if it is not sharded.',
    labelNames: ['shard'],
    registers,
    async collect() {
      const { areShardsUp } = await health.check()
      areShardsUp.forEach((isUp, index) => void this.set({ shard: index + 1 }, isUp ? 1 : 0))
    },
  })
  new Gauge({
    name: 'plumbline_spool_quota_bytes',
    help: 'Maximum size of the spool, in bytes.',
    registers,
  }).set(spoolBytesMax)
  const disk = () => readDisk(dataFolder)
  new Gauge({
    name: 'plumbline_disk_free_bytes',
    help: 'Free bytes on the disk of the data directory.',
    registers,
    async collect() {
      const space = await disk()
      if (space === undefined) this.remove()
      else this.set(space.freeBytes)
    },
  })
  new Gauge({
    name: 'plumbline_disk_size_bytes',
    help: 'Size of the disk of the data directory.',
    registers,
    async collect() {
      const space = await disk()
      if (space === undefined) this.remove()
      else this.set(space.sizeBytes)
    },
  })
}

/** The disk of a folder; undefined if it does not respond in time. */
export const readDisk = (folder: string): Promise<DiskSpace | undefined> =>
  resultWithin(
    metricTimeoutMs,
    spaceOf(folder).catch(() => undefined),
  )

export function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  // Safe: every package has a version.
  return (JSON.parse(text) as { version: string }).version
}
