/** What a node's free space means: whether it can record, and until when. Pure. */
import type { NodeCapacity } from '@plumbline/contract'
import { type DiskSpace, reserveBytesOf } from '@plumbline/storage/spool'

interface CapacityFigures {
  /** Undefined while the disk does not respond. */
  readonly disk: DiskSpace | undefined
  readonly spool: { readonly bytes: number; readonly quotaBytes: number }
  /** Whether the spool is in PostgreSQL; if so, nothing recorded is on this disk. */
  readonly isShared: boolean
}

/** The thresholds of the alerts PlumblineDiskFilling and PlumblineSpoolFilling in `deploy/monitoring`. */
export const lowDiskFraction = 0.1
export const lowQuotaFraction = 0.5
const help = 'Shorten the retention, remove old backups, or enlarge the disk.'

type State = NodeCapacity['state']

/** The state of one limit. */
interface Shortage {
  readonly state: Exclude<State, 'enough'>
  readonly warning: string
}

export function describeCapacity({
  disk,
  spool,
  isShared,
}: CapacityFigures): Pick<NodeCapacity, 'state' | 'warning' | 'disk'> {
  const reserveBytes = disk === undefined || isShared ? 0 : reserveBytesOf(disk.sizeBytes)
  const shortages = [
    disk === undefined || isShared ? undefined : diskShortage(disk, reserveBytes),
    disk?.files === undefined || isShared ? undefined : filesShortage(disk.files),
    spoolShortage(spool),
  ].filter((shortage) => shortage !== undefined)
  const isFull = shortages.some(({ state }) => state === 'full')
  return {
    state: isFull ? 'full' : shortages.length > 0 ? 'low' : 'enough',
    ...(shortages.length === 0 ? {} : { warning: shortages.map(({ warning }) => warning).join(' ') }),
    ...(disk === undefined
      ? {}
      : { disk: { freeBytes: disk.freeBytes, sizeBytes: disk.sizeBytes, reserveBytes } }),
  }
}

function diskShortage({ freeBytes, sizeBytes }: DiskSpace, reserveBytes: number): Shortage | undefined {
  const free = `${inUnits(freeBytes)} of ${inUnits(sizeBytes)} are free`
  if (freeBytes < reserveBytes)
    return {
      state: 'full',
      warning: `Recording has stopped: on the disk of the data directory ${free}, and ${inUnits(reserveBytes)} are reserved for records already acknowledged. ${help}`,
    }
  if (freeBytes >= Math.max(sizeBytes * lowDiskFraction, 2 * reserveBytes)) return undefined
  return {
    state: 'low',
    warning: `The disk of the data directory is filling up: ${free}, and recording stops at ${inUnits(reserveBytes)}. ${help}`,
  }
}

/** A disk with many small files may have bytes left, but no room for another file. */
function filesShortage({ free, max }: NonNullable<DiskSpace['files']>): Shortage | undefined {
  if (free >= max * lowDiskFraction) return undefined
  const left = `${free} of its ${max} files (inodes) are free`
  return free === 0
    ? {
        state: 'full',
        warning: `Recording has stopped: the disk of the data directory cannot hold any more files; ${left}. Delete unneeded files.`,
      }
    : {
        state: 'low',
        warning: `The disk of the data directory can soon hold no more files: ${left}. Delete unneeded files.`,
      }
}

function spoolShortage({ bytes, quotaBytes }: CapacityFigures['spool']): Shortage | undefined {
  const waiting = `${inUnits(bytes)} of at most ${inUnits(quotaBytes)} are waiting for the trace store`
  if (bytes >= quotaBytes)
    return {
      state: 'full',
      warning: `Recording has stopped: ${waiting}. Check why the trace store accepts no data; recording resumes by itself once it does.`,
    }
  if (bytes <= quotaBytes * lowQuotaFraction) return undefined
  return {
    state: 'low',
    warning: `The spool is filling up: ${waiting}, and recording stops when it is full. Check the trace store.`,
  }
}

/** `812 B`, `3.4 MB`. */
function inUnits(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  const unit = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1)
  const size = bytes / 1024 ** unit
  return `${size >= 100 || unit === 0 ? Math.round(size) : Number(size.toFixed(1))} ${units[unit]}`
}
