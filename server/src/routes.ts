/** The routes of every operation of the contract. */
import type { EvaluationQueue, JobQueue, PeopleStore } from '@plumbline/storage/control'
import { accountRoutes } from './accounts/accounts/routes.ts'
import { invitationRoutes } from './accounts/invitations/routes.ts'
import { keyRoutes } from './accounts/keys/routes.ts'
import { memberRoutes } from './accounts/members/routes.ts'
import { sessionRoutes, type WorkspaceOf } from './accounts/session/routes.ts'
import type { WorkspaceCreation } from './accounts/workspaces/may-create.ts'
import { type DeletingParts, workspaceRoutes } from './accounts/workspaces/routes.ts'
import { datasetRoutes } from './datasets/datasets/routes.ts'
import { fileRoutes } from './datasets/files/routes.ts'
import type { UploadSigner } from './datasets/files/upload-signature.ts'
import { annotationQueueRoutes } from './evaluate/annotation-queues/routes.ts'
import type { Judge } from './evaluate/evaluations/judge.ts'
import { evaluationRoutes } from './evaluate/evaluations/routes.ts'
import { evaluatorRoutes } from './evaluate/evaluators/routes.ts'
import { scoreRoutes } from './evaluate/scores/routes.ts'
import { ledgerRoutes } from './ingest/ledger/routes.ts'
import { monitorRoutes } from './ingest/monitor/routes.ts'
import { priceRoutes } from './ingest/prices/routes.ts'
import { metricsRoutes } from './observe/metrics/routes.ts'
import { traceRoutes } from './observe/traces/routes.ts'
import { viewRoutes } from './observe/views/routes.ts'
import type { GrpcPort } from './operate/addresses/get.ts'
import { addressRoutes } from './operate/addresses/routes.ts'
import { exchangeRoutes } from './operate/exchange/routes.ts'
import { jobRoutes } from './operate/jobs/routes.ts'
import { retentionRoutes } from './operate/retention/routes.ts'
import { type ConnectionParts, connectionRoutes } from './outbound/connections/routes.ts'
import { featureRoutes } from './prompts/features/routes.ts'
import { playgroundRoutes } from './prompts/playground/routes.ts'
import { promptRoutes } from './prompts/prompts/routes.ts'
import { rolloutRoutes } from './prompts/rollouts/routes.ts'
import { versionRoutes } from './prompts/versions/routes.ts'
import type { Route } from './requests/verb.ts'

/** What single resources need beside the workspace of the caller. */
interface RouteParts {
  readonly alerting: readonly Route[]
  readonly connections: ConnectionParts
  readonly evaluations: EvaluationQueue
  readonly evaluating: { readonly judge: Judge; wake(): void }
  readonly experimenting: readonly Route[]
  readonly files: { readonly signer: UploadSigner; readonly bytesMax: number }
  readonly bundleBytesMax: number
  readonly grpcPort: GrpcPort
  readonly jobs: { readonly queue: JobQueue; notify(): void }
  readonly people: PeopleStore
  /** Told when somebody has come into a workspace, or has no account any more. */
  readonly onMember: () => void
  readonly creation: WorkspaceCreation
  readonly deleting: DeletingParts
  readonly workspaceOf: WorkspaceOf
}

export const allRoutes = ({
  alerting,
  connections,
  evaluations,
  evaluating,
  experimenting,
  files,
  bundleBytesMax,
  grpcPort,
  jobs,
  people,
  onMember,
  creation,
  deleting,
  workspaceOf,
}: RouteParts): Route[] => [
  ...monitorRoutes,
  ...traceRoutes,
  ...scoreRoutes,
  ...metricsRoutes,
  ...ledgerRoutes,
  ...promptRoutes,
  ...versionRoutes,
  ...rolloutRoutes,
  ...datasetRoutes,
  ...fileRoutes(files.signer, files.bytesMax),
  ...exchangeRoutes({ bundleBytesMax, fileBytesMax: files.bytesMax }),
  ...experimenting,
  ...annotationQueueRoutes,
  ...featureRoutes,
  ...keyRoutes,
  ...priceRoutes,
  ...viewRoutes,
  ...retentionRoutes,
  ...connectionRoutes(connections),
  ...alerting,
  ...playgroundRoutes(connections.openModel),
  ...addressRoutes(grpcPort),
  ...jobRoutes(jobs.queue, jobs.notify),
  ...evaluatorRoutes(evaluating.judge),
  ...evaluationRoutes(evaluations, evaluating.wake),
  ...sessionRoutes(workspaceOf, creation),
  ...workspaceRoutes(people, workspaceOf, creation, onMember, deleting),
  ...accountRoutes(people, onMember),
  ...memberRoutes(people),
  ...invitationRoutes(people, onMember),
]
