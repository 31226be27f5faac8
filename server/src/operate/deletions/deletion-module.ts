/** Trace deletions, erasures and retention: their operations and jobs. */
import { haveSharedStores } from '../../config.ts'
import type { Recording } from '../../ingest/recording.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import type { Module } from '../../module.ts'
import type { Foundation } from '../../process/foundation.ts'
import type { Workspaces } from '../../workspace/workspace.ts'
import { erasureRoutes } from '../erasures/routes.ts'
import { nextNight } from '../retention/next-night.ts'
import { retentionRoutes } from '../retention/routes.ts'
import { scheduleNight } from '../retention/schedule-night.ts'
import { makeSliceSize } from './delete-slice.ts'
import { makeDeleting } from './deleting.ts'
import { deletionRoutes } from './routes.ts'

interface DeletionDeps {
  readonly jobs: Jobs
  readonly recording: Recording
  readonly workspaces: Workspaces
}

export function makeDeletionModule(
  { control, traceStore, config, logger, now }: Foundation,
  { jobs, recording, workspaces }: DeletionDeps,
): Module {
  const sliceSize = makeSliceSize()
  const deleting = makeDeleting({
    control,
    traceStore,
    jobs,
    logger,
    now,
    refusedRecords: recording.refusedRecords,
    workspaceOf: workspaces.of,
    settle: recording.settle,
    untilAssembled: () => recording.drain.pauseWhile(async () => {}),
    traceChanges: recording.traceChanges,
    sliceSize,
    nextNight: (time) => nextNight(time, config.PLUMBLINE_RETENTION_TIME),
    isShared: haveSharedStores(config),
  })
  scheduleNight({
    control,
    traceStore,
    jobs,
    now,
    sliceSize,
    traceChanges: recording.traceChanges,
    untilStored: recording.untilStored,
    workspaceOf: workspaces.of,
    time: config.PLUMBLINE_RETENTION_TIME,
  })
  return {
    routes: [
      ...retentionRoutes(traceStore),
      ...deletionRoutes(traceStore, deleting),
      ...erasureRoutes(traceStore, recording.refusedRecords, deleting),
    ],
    services: [{ name: 'deletions', start: deleting.start, stop: async () => {} }],
  }
}
