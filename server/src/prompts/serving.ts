/** What applications fetch: prompts, datasets and files. */
import { randomBytes } from 'node:crypto'
import { datasetRoutes } from '../datasets/datasets/routes.ts'
import { removeUnfinishedUploads } from '../datasets/files/folder-files.ts'
import { fileRoutes } from '../datasets/files/routes.ts'
import { makeUploadSigner, type UploadSigner } from '../datasets/files/upload-signature.ts'
import { datasetVersionRoutes } from '../datasets/versions/routes.ts'
import { makeTimer } from '../jobs/timer.ts'
import type { Module } from '../module.ts'
import type { Connecting } from '../outbound/connections/connecting.ts'
import type { Foundation } from '../process/foundation.ts'
import { approvalRoutes } from './approvals/routes.ts'
import { featureRoutes } from './features/routes.ts'
import { playgroundRoutes } from './playground/routes.ts'
import { type FetchCounts, makeFetchCounts } from './prompts/fetch-counts.ts'
import { promptRoutes } from './prompts/routes.ts'
import { rolloutRoutes } from './rollouts/routes.ts'
import { versionRoutes } from './versions/routes.ts'

export interface Serving extends Module {
  readonly fetchCounts: FetchCounts
  readonly signer: UploadSigner
}

export async function makeServing(
  { control, storeOf, config, dataFolder, logger }: Foundation,
  { openModel }: Pick<Connecting, 'openModel'>,
): Promise<Serving> {
  const fetchCounts = makeFetchCounts((workspaceId) => storeOf(workspaceId).promptFetches)
  // This key may be in the control plane and in backups. All nodes need the same one, and anyone who reads it can only
  // upload a file where a signed URL would permit it for 15 minutes, and read nothing.
  const signer = makeUploadSigner(
    await control.secret('upload signature', () => randomBytes(32).toString('base64')),
  )
  return {
    fetchCounts,
    signer,
    routes: [
      ...featureRoutes,
      ...promptRoutes,
      ...approvalRoutes,
      ...versionRoutes,
      ...rolloutRoutes,
      ...playgroundRoutes(openModel),
      ...datasetRoutes,
      ...datasetVersionRoutes,
      ...fileRoutes(signer, config.PLUMBLINE_FILE_BYTES_MAX),
    ],
    services: [
      makeTimer({
        name: 'fetch counts',
        everyMs: 1000,
        tick: fetchCounts.flush,
        ticksAtStop: true,
        logger,
      }),
      {
        name: 'unfinished uploads',
        start: () => removeUnfinishedUploads(dataFolder),
        stop: async () => {},
      },
    ],
  }
}
