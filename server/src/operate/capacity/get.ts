import type { operations } from '@plumbline/contract'
import type { Foundation } from '../../process/foundation.ts'
import { readDisk } from '../../process/process-metrics.ts'
import type { Verb } from '../../requests/verb.ts'
import { describeCapacity } from './describe-capacity.ts'

export const get =
  ({
    spool,
    dataFolder,
    config,
  }: Pick<Foundation, 'spool' | 'dataFolder' | 'config'>): Verb<typeof operations.capacity.get> =>
  async () => {
    const { records, bytes, oldestAt } = spool.size()
    const disk = await readDisk(dataFolder)
    const waiting = { records, bytes, quotaBytes: config.PLUMBLINE_SPOOL_BYTES_MAX }
    const capacity = describeCapacity({ disk, spool: waiting, isShared: spool.isShared })
    return {
      capacity: {
        ...capacity,
        spool: { ...waiting, ...(oldestAt === undefined ? {} : { oldestAt: oldestAt.toISOString() }) },
      },
    }
  }
