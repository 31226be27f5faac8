/** Operations for operators: export and import, and jobs. */
import type { Jobs } from '../jobs/jobs.ts'
import { addJobMetrics } from '../jobs/metrics.ts'
import type { Module } from '../module.ts'
import type { Foundation } from '../process/foundation.ts'
import type { GrpcPort } from './addresses/get.ts'
import { addressRoutes } from './addresses/routes.ts'
import { removeSnapshot } from './backup/snapshot.ts'
import { capacityRoutes } from './capacity/routes.ts'
import { exchangeRoutes } from './exchange/routes.ts'
import { jobRoutes } from './jobs/routes.ts'
import { scheduleExpiry } from './retention/schedule-expiry.ts'

/** Comes last: it starts the job runner, whose handlers other modules have registered. */
export function makeOperating(
  foundation: Foundation,
  { jobs, grpcPort }: { readonly jobs: Jobs; readonly grpcPort: GrpcPort },
): Module {
  const { control, config, dataFolder, registry } = foundation
  scheduleExpiry(jobs, foundation)
  addJobMetrics(registry, control.jobs)
  return {
    routes: [
      ...exchangeRoutes({
        bundleBytesMax: config.PLUMBLINE_IMPORT_BYTES_MAX,
        fileBytesMax: config.PLUMBLINE_FILE_BYTES_MAX,
      }),
      ...addressRoutes(grpcPort),
      ...jobRoutes(control.jobs, jobs.notify),
      ...capacityRoutes(foundation),
    ],
    services: [{ name: 'snapshots', start: () => removeSnapshot(dataFolder), stop: async () => {} }, jobs],
  }
}
