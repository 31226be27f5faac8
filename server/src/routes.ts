/** The routes of every operation of the contract. */
import type { EvaluationQueue, PeopleStore } from '@plumbline/storage/control'
import { accountRoutes } from './accounts/routes.ts'
import type { GrpcPort } from './addresses/get.ts'
import { addressRoutes } from './addresses/routes.ts'
import { annotationQueueRoutes } from './annotation-queues/routes.ts'
import { type ConnectionParts, connectionRoutes } from './connections/routes.ts'
import { datasetRoutes } from './datasets/routes.ts'
import type { Judge } from './evaluations/judge.ts'
import { evaluationRoutes } from './evaluations/routes.ts'
import { evaluatorRoutes } from './evaluators/routes.ts'
import { exchangeRoutes } from './exchange/routes.ts'
import { featureRoutes } from './features/routes.ts'
import { fileRoutes } from './files/routes.ts'
import type { UploadSigner } from './files/upload-signature.ts'
import { invitationRoutes } from './invitations/routes.ts'
import { keyRoutes } from './keys/routes.ts'
import { ledgerRoutes } from './ledger/routes.ts'
import { memberRoutes } from './members/routes.ts'
import { metricsRoutes } from './metrics/routes.ts'
import { monitorRoutes } from './monitor/routes.ts'
import { playgroundRoutes } from './playground/routes.ts'
import { priceRoutes } from './prices/routes.ts'
import { promptRoutes } from './prompts/routes.ts'
import { retentionRoutes } from './retention/routes.ts'
import { rolloutRoutes } from './rollouts/routes.ts'
import { scoreRoutes } from './scores/routes.ts'
import { sessionRoutes, type WorkspaceOf } from './session/routes.ts'
import { traceRoutes } from './traces/routes.ts'
import type { Route } from './verb.ts'
import { versionRoutes } from './versions/routes.ts'
import { viewRoutes } from './views/routes.ts'
import type { WorkspaceCreation } from './workspaces/may-create.ts'
import { type DeletingParts, workspaceRoutes } from './workspaces/routes.ts'

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
  ...evaluatorRoutes(evaluating.judge),
  ...evaluationRoutes(evaluations, evaluating.wake),
  ...sessionRoutes(workspaceOf, creation),
  ...workspaceRoutes(people, workspaceOf, creation, onMember, deleting),
  ...accountRoutes(people, onMember),
  ...memberRoutes(people),
  ...invitationRoutes(people, onMember),
]
