export { type Account, OwnerNeeded } from './accounts/accounts.ts'
export type { ApiKey } from './accounts/api-key-row.ts'
export type { NewApiKey } from './accounts/api-keys.ts'
export type { Invitation, NewInvitation } from './accounts/invitations.ts'
export type { Member } from './accounts/members.ts'
export type { Membership, OpenInvitation, Person, PersonSession } from './accounts/people.ts'
export type { PeopleStore } from './accounts/people-store.ts'
export type { SignInCondition, SignInRow, SignInValue } from './accounts/sign-in-rows.ts'
export type { AlertCheck, AlertChecks, CheckedAlert } from './alerts/alert-checks.ts'
export type {
  AlertEvent,
  AlertThen,
  Notification,
  NotificationStatus,
} from './alerts/alert-event-rows.ts'
export { alertCheckKind, alertFiredKind } from './alerts/alert-jobs.ts'
export type { Alert, AlertStatus } from './alerts/alert-rows.ts'
export type { AlertAndChannels, AlertChange, NewAlert } from './alerts/alerts.ts'
export type { Channel, ChannelChange, NewChannel } from './alerts/channels.ts'
export { notificationAttemptsMax, notificationJobKind } from './alerts/notification-job.ts'
export type { DueNotification, Notifications } from './alerts/notifications.ts'
export { type PublicationPayload, publicationJobKind } from './alerts/publication-job.ts'
export type { Assignment } from './annotation/annotation-assignments.ts'
export type {
  AnnotationItem,
  AnnotationRemoval,
  AnnotationStatus,
  AnnotationTurn,
  NewAnnotationItem,
} from './annotation/annotation-items.ts'
export type {
  AnnotationProgress,
  AnnotationQueue,
  NewAnnotationQueue,
} from './annotation/annotation-queues.ts'
export { type AuditIntent, withAuditIntent } from './audit/audit-intents.ts'
export type { AuditFilters } from './audit/audit-list.ts'
export type { AuditLog, NewForward } from './audit/audit-log.ts'
export type { AuditEntry, AuditStates, StoredAuditEntry } from './audit/audit-rows.ts'
export type { AuditSettings, AuditSettingsChange, AuditWebhook } from './audit/audit-settings.ts'
export type { DatasetRow, NewDatasetRow, RowSelection } from './datasets/dataset-rows.ts'
export type { DatasetVersion, RowDifference } from './datasets/dataset-versions.ts'
export type { Dataset, DatasetChange, DatasetColumn, NewDataset } from './datasets/datasets.ts'
export type { NewFile, StoredFile } from './datasets/files.ts'
export {
  addCounts,
  type DeletionQueue,
  type DeletionStep,
  deletionJobKind,
} from './deletions/deletion-queue.ts'
export type {
  Deletion,
  DeletionType,
  PlaceCounts,
} from './deletions/deletion-rows.ts'
export type { NewDeletion } from './deletions/deletions.ts'
export type { RemovalMode } from './deletions/subject-references.ts'
export {
  AlertFires,
  AlertInUse,
  AlreadyExists,
  AnnotationItemRemoved,
  ControlStoreAway,
  ControlStoreDamaged,
  LastOwner,
  MigrationRefused,
  NotFound,
  OtherNodes,
  RolloutEnded,
  TagIsThere,
  TagProtected,
  TransactionPooling,
  VersionConflict,
  VersionNamedAsTag,
} from './errors.ts'
export type { ClaimedEvaluations } from './evaluation/claim-evaluations.ts'
export type {
  Connection,
  ConnectionChange,
  NewConnection,
  SpendingConnection,
} from './evaluation/connections.ts'
export type { Arrival } from './evaluation/evaluation-arrivals.ts'
export type { ConcurrencyGroup, GroupKey } from './evaluation/evaluation-groups.ts'
export type { EvaluationQueue, NewEvaluation } from './evaluation/evaluation-queue.ts'
export type { Evaluation, EvaluationStatus } from './evaluation/evaluation-rows.ts'
export type { Batch, EvaluationUpdate } from './evaluation/evaluation-updates.ts'
export { lateProblem } from './evaluation/evaluation-upkeep.ts'
export type { EvaluationCounts, EvaluationFilters, WaitingGroup } from './evaluation/evaluations.ts'
export type { Evaluator, EvaluatorChange, EvaluatorVersion, NewEvaluator } from './evaluation/evaluators.ts'
export type { LiveEvaluator } from './evaluation/live-rules.ts'
export type { BundledRow, RestoredRows, RowLeftOut } from './exchange/bundle.ts'
export { bundledTables } from './exchange/bundled-tables.ts'
export { snapshotFile } from './exchange/snapshot.ts'
export type { Attachment, AttachmentStore } from './experiments/experiment-attachments.ts'
export type { CaseClaim, CaseUpdate, ExperimentRunQueue } from './experiments/experiment-run-queue.ts'
export type {
  ClaimedCase,
  ExperimentCase,
  ExperimentCaseStatus,
  ExperimentRun,
  ExperimentRunStatus,
} from './experiments/experiment-run-rows.ts'
export type { CaseCounts, NewExperimentRun, RunInput } from './experiments/experiment-runs.ts'
export type { Experiment, NewExperiment } from './experiments/experiments.ts'
export { newId } from './id.ts'
export type { JobClaim } from './jobs/claim-jobs.ts'
export type { JobCount, JobFilters } from './jobs/job-list.ts'
export type { ClaimedJob, JobQueue } from './jobs/job-queue.ts'
export type { Job, JsonValue, NewJob } from './jobs/job-rows.ts'
export type { OtherQueueCounts } from './jobs/other-queues.ts'
export type { Approval } from './prompts/approvals.ts'
export type { Feature, NewFeature } from './prompts/features.ts'
export type { TagMove } from './prompts/move-tag.ts'
export type { NewPromptFetch, PromptFetches } from './prompts/prompt-fetches.ts'
export type { PastTagMove, Publication } from './prompts/prompt-tags.ts'
export type { PromptVersion } from './prompts/prompt-version-row.ts'
export type { NewPromptVersion } from './prompts/prompt-versions.ts'
export type { LoadedPrompt, NewPrompt, PromptSummary } from './prompts/prompts.ts'
export type {
  Rollout,
  RolloutStatus,
  RunningRollout,
} from './prompts/rollout-rows.ts'
export type { NewRollout, RolloutChange } from './prompts/rollouts.ts'
export type {
  Assembly,
  AssemblyStore,
  FinishedAssembly,
  QuietCutoffs,
  SettledTrace,
  SpanArrival,
} from './recording/assemblies.ts'
export { quietMs } from './recording/assemblies.ts'
export type { AssembledTrace } from './recording/assembly-keys.ts'
export { type AssemblyPlan, pauseName } from './recording/assembly-plans.ts'
export type { Claim, EarlierRequest, NewClaim, RequestKey } from './recording/idempotency.ts'
export type { LedgerEntry, LedgerHour, LedgerRejection } from './recording/ledger.ts'
export type { InstalledPriceList, PriceListStore } from './recording/price-lists.ts'
export type { NewPriceOverride, PriceOverride } from './recording/prices.ts'
export {
  type Recomputation,
  type RecomputationStatus,
  recomputationJobKey,
  recomputationJobKind,
} from './recording/recomputations.ts'
export { checkControlFile } from './store/check-file.ts'
export { lockDatabase, type NodeLock } from './store/node-lock.ts'
export { makeNodeMutex } from './store/node-mutex.ts'
export {
  type ControlStore,
  type ControlStoreLocation,
  openControlStore,
  type WorkspaceControlStore,
} from './store/open.ts'
export type { Page, PageKey, PageRequest } from './store/page.ts'
export { type UnreadableRow, unreadableRows } from './unreadable-rows.ts'
export type { Comment } from './workspaces/comments.ts'
export type { Dashboard } from './workspaces/dashboards.ts'
export { defaultWorkspaceId, type Workspace } from './workspaces/installation.ts'
export type { RetentionRules } from './workspaces/retention.ts'
export type { SealedValue } from './workspaces/sealed-values.ts'
export type { Share } from './workspaces/shares.ts'
export type { View } from './workspaces/views.ts'
export type { WorkspaceDeletion, WorkspaceDeletions } from './workspaces/workspace-deletion.ts'
