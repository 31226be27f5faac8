export { type Account, OwnerNeeded } from './accounts.ts'
export type {
  AlertEvent,
  AlertThen,
  Notification,
  NotificationStatus,
} from './alert-event-rows.ts'
export type { Alert, AlertStanding } from './alert-rows.ts'
export type { AlertLook, AlertWatch, ClaimedAlert } from './alert-watch.ts'
export type { AlertAndChannels, AlertChange, NewAlert } from './alerts.ts'
export type {
  AnnotationItem,
  AnnotationRemoval,
  AnnotationStatus,
  AnnotationTurn,
  NewAnnotationItem,
} from './annotation-items.ts'
export type { AnnotationProgress, AnnotationQueue, NewAnnotationQueue } from './annotation-queues.ts'
export type { Turn } from './annotation-turns.ts'
export type { ApiKey } from './api-key-row.ts'
export type { NewApiKey } from './api-keys.ts'
export type {
  Assembled,
  AssembledTrace,
  Assembly,
  AssemblyBooks,
  AssemblyPlan,
  Settled,
  SpanArrival,
} from './assemblies.ts'
export { quietMs } from './assemblies.ts'
export type { BundledRow, RestoredRows, RowLeftOut } from './bundle.ts'
export { bundledTables } from './bundled-tables.ts'
export type { Channel, ChannelChange, NewChannel } from './channels.ts'
export type { Connection, ConnectionChange, NewConnection, SpendingConnection } from './connections.ts'
export type { DatasetRow, NewDatasetRow } from './dataset-rows.ts'
export type { Dataset, DatasetChange, DatasetColumn, NewDataset } from './datasets.ts'
export {
  AlertFires,
  AlertInUse,
  AlreadyExists,
  AnnotationItemRemoved,
  ControlStoreAway,
  LastOwner,
  MigrationRefused,
  NotFound,
  RolloutEnded,
  TagIsThere,
} from './errors.ts'
export type { Arrival } from './evaluation-arrivals.ts'
export type { Lane, LaneKey } from './evaluation-lanes.ts'
export type { Batch, Outcome } from './evaluation-outcomes.ts'
export type { EvaluationQueue, NewEvaluation } from './evaluation-queue.ts'
export { type Evaluation, type EvaluationStatus, evaluationStatuses } from './evaluation-rows.ts'
export type { Begun } from './evaluation-turns.ts'
export { lateProblem } from './evaluation-upkeep.ts'
export type { EvaluationCounts, EvaluationFilters, WaitingLane } from './evaluations.ts'
export type { Evaluator, EvaluatorVersion, NewEvaluator } from './evaluators.ts'
export type { Attachment, AttachmentBooks } from './experiment-attachments.ts'
export type { BeginningCases, CaseOutcome, ExperimentRunQueue } from './experiment-run-queue.ts'
export {
  type BegunCase,
  type ExperimentCase,
  type ExperimentCaseStatus,
  type ExperimentRun,
  type ExperimentRunStatus,
  experimentCaseStatuses,
} from './experiment-run-rows.ts'
export type { CaseCounts, NewExperimentRun, RunInput } from './experiment-runs.ts'
export type { Experiment, NewExperiment } from './experiments.ts'
export type { Feature, NewFeature } from './features.ts'
export type { NewFile, StoredFile } from './files.ts'
export { newId } from './id.ts'
export type { Claim, EarlierRequest, NewClaim, RequestKey } from './idempotency.ts'
export { defaultWorkspaceId, type Workspace } from './installation.ts'
export type { Invitation, NewInvitation } from './invitations.ts'
export type { LedgerEntry, LedgerHour, LedgerRejection } from './ledger.ts'
export type { Member } from './members.ts'
export type { TagMove } from './move-tag.ts'
export type { DueNotification, NotificationQueue } from './notification-queue.ts'
export {
  type ControlStore,
  type ControlStoreLocation,
  openControlStore,
  type WorkspaceControlStore,
} from './open.ts'
export type { Page, PageKey, PageRequest } from './page.ts'
export type { Membership, OpenInvitation, Person, PersonSession } from './people.ts'
export type { PeopleStore } from './people-store.ts'
export type { NewPriceOverride, PriceOverride } from './prices.ts'
export type { NewPromptFetch, PromptFetches } from './prompt-fetches.ts'
export type { PastTagMove, Publication } from './prompt-tags.ts'
export type { PromptVersion } from './prompt-version-row.ts'
export type { NewPromptVersion } from './prompt-versions.ts'
export type { LoadedPrompt, NewPrompt, PromptSummary } from './prompts.ts'
export { type Rollout, type RolloutStatus, type RunningRollout, rolloutStatuses } from './rollout-rows.ts'
export type { NewRollout, RolloutChange } from './rollouts.ts'
export type { SealedValue } from './sealed-values.ts'
export type { SignInCondition, SignInRow, SignInValue } from './sign-in-rows.ts'
export { snapshotFile } from './snapshot.ts'
export { type UnreadableRow, unreadableRows } from './unreadable-rows.ts'
export type { View } from './views.ts'
export type { WorkspaceDeletion, WorkspaceDeletions } from './workspace-deletion.ts'
