export type { Account } from './accounts/accounts.ts'
export type {
  AuditActorType,
  AuditEntry,
  AuditedRoute,
  AuditLogSettings,
  AuditOutcome,
} from './accounts/audit.ts'
export { auditActorTypes, auditDaysMin, auditedRoutes, auditOutcomes, isAudited } from './accounts/audit.ts'
export { type AuditedSettings, auditedSettings } from './accounts/audited-settings.ts'
export type { Connection } from './accounts/connections.ts'
export { connectionProviders } from './accounts/connections.ts'
export type { Invitation } from './accounts/invitations.ts'
export { emailPattern } from './accounts/invitations.ts'
export type { ApiKey } from './accounts/keys.ts'
export type { LinkMail } from './accounts/link-mail.ts'
export type { Member } from './accounts/members.ts'
export type { Person, Session } from './accounts/session.ts'
export type { Workspace } from './accounts/workspaces.ts'
export type {
  AnnotationFeed,
  AnnotationItem,
  AnnotationProgress,
  AnnotationQueue,
  AnnotationTurn,
} from './evaluate/annotation-queues.ts'
export { annotationItemsMax } from './evaluate/annotation-queues.ts'
export type { Annotator, AnnotatorAgreement, Share } from './evaluate/annotator-agreement.ts'
export type { DatasetVersion } from './evaluate/dataset-versions.ts'
export type { Column, Dataset, DatasetRow, DatasetSummary, StoredRow } from './evaluate/datasets.ts'
export { columnTypes, rowFormats } from './evaluate/datasets.ts'
export { EmbeddingJudge } from './evaluate/embedding-judge.ts'
export type { Evaluation } from './evaluate/evaluations.ts'
export { evaluationStates } from './evaluate/evaluations.ts'
export type {
  DryRun,
  Evaluator,
  EvaluatorTemplate,
  EvaluatorVersion,
  SamplingGroup,
} from './evaluate/evaluators.ts'
export { evaluatorKinds } from './evaluate/evaluators.ts'
export type { ExperimentCase, ExperimentRun, ExperimentTarget } from './evaluate/experiment-runs.ts'
export { experimentCaseStates, experimentCasesMax, experimentRunStates } from './evaluate/experiment-runs.ts'
export type { ComparedCase, ComparedDataset, Experiment, MeasureComparison } from './evaluate/experiments.ts'
export { mediaTypePattern } from './evaluate/files.ts'
export { HumanJudge } from './evaluate/human-judge.ts'
export type { JudgeAgreement } from './evaluate/judge-agreement.ts'
export type { LiveRule, LiveSubject } from './evaluate/live-rules.ts'
export { defaultQuietMinutes, LiveFilters, liveSubjects } from './evaluate/live-rules.ts'
export { judgedVariables, ModelJudge } from './evaluate/model-judge.ts'
export { defaultSampleRate } from './evaluate/sample-rate.ts'
export type { Score } from './evaluate/scores.ts'
export type { Verdict } from './evaluate/verdict.ts'
export type { ErrorCode, ErrorFacts } from './interface/errors.ts'
export { errors, invalid, ServiceError } from './interface/errors.ts'
export { evaluatorReferencesMax, logsMax } from './interface/limits.ts'
export { nearestName } from './interface/nearest-name.ts'
export { openApiDocument } from './interface/openapi.ts'
export type { InputOf, Method, NeededRole, Operation, OutputOf, Role, Scope } from './interface/operation.ts'
export {
  bodyErrors,
  editsWorkspace,
  errorsOfBody,
  fillPath,
  inputTravelsInQuery,
  isEventStream,
  pathFields,
  roleOfScope,
  roles,
  scopes,
  sharedErrors,
  takesJson,
} from './interface/operation.ts'
export { allOperations, operations } from './interface/operations.ts'
export { otherPatternProblem, patternProblems } from './interface/pattern-problems.ts'
export type { Resource } from './interface/resources.ts'
export { resourceGroups, resources } from './interface/resources.ts'
export type {
  EvaluatorReference,
  Organization,
  PromptReference,
  TextOrJson,
  Timestamp,
  User,
  Variable,
} from './interface/shapes.ts'
export { schemaName, slugPattern } from './interface/shapes.ts'
export {
  type BucketWidth,
  bucketEnd,
  bucketStart,
  bucketStarts,
  bucketWidths,
  isCutByChanges,
} from './interface/time-buckets.ts'
export {
  type ClockPeriod,
  clockPeriods,
  cycleMs,
  instantOf,
  isTimeZone,
  repeatMs,
} from './interface/time-zone.ts'
export type { Alert, AlertEvent, AlertMeasure, AlertRule, AlertState } from './observe/alerts.ts'
export { AlertFilters, alertMeasures, alertStates, eventReasons, eventTypes } from './observe/alerts.ts'
export type { Channel, ChannelType } from './observe/channels.ts'
export { channelTypes } from './observe/channels.ts'
export type { Comment, CommentSubject } from './observe/comments.ts'
export { commentLengthMax, commentSubjects } from './observe/comments.ts'
export type { Conversation, ConversationTurn } from './observe/conversations.ts'
export type { ChartType, Dashboard, DashboardChart, DashboardChartInput } from './observe/dashboards.ts'
export { chartTypes, dashboardChartsMax } from './observe/dashboards.ts'
export type { EndOrganization } from './observe/organizations.ts'
export type { ShareLink } from './observe/shares.ts'
export { shareDaysMax } from './observe/shares.ts'
export type { EndUser } from './observe/users.ts'
export type { View } from './observe/views.ts'
export type { NodeCapacity } from './operate/capacity.ts'
export type { Deletion, DeletionState } from './operate/deletions.ts'
export { deletionIdsMax, deletionStates } from './operate/deletions.ts'
export type { Erasure, SubjectType } from './operate/erasures.ts'
export { subjectTypes } from './operate/erasures.ts'
export { importRefusalsMax } from './operate/exchange.ts'
export type { Job, JobCounts, JobState } from './operate/jobs.ts'
export { jobStates } from './operate/jobs.ts'
export type { WorkspaceRetention } from './operate/retention.ts'
export type { Approval } from './prompts/approvals.ts'
export type { Feature } from './prompts/features.ts'
export type {
  Prompt,
  PromptSummary,
  ServedRollout,
  TagMove,
  VersionUsage,
} from './prompts/prompts.ts'
export { latestTag, productionTag } from './prompts/prompts.ts'
export type { Replay, ReplayScore } from './prompts/replays.ts'
export type { Rollout, RolloutMeasure } from './prompts/rollouts.ts'
export { rolloutStatuses } from './prompts/rollouts.ts'
export type { Model, ModelInput, PromptMessage } from './prompts/version-content.ts'
export type { PromptVersion } from './prompts/versions.ts'
export { judgedSessionKey, judgedTraceKey, judgesFeature } from './traces/judge-traces.ts'
export type { LedgerEntry } from './traces/ledger.ts'
export type { OutlinedLog } from './traces/logs.ts'
export type {
  MaskingAction,
  MaskingDetector,
  MaskingField,
  MaskingRule,
  RehearsedRule,
} from './traces/masking.ts'
export {
  maskingActions,
  maskingDetectors,
  maskingFields,
  maskingPathDepthsMax,
  maskingPathStepsMax,
  maskingPatternLengthMax,
  maskingRulesMax,
  rehearsedTracesMax,
} from './traces/masking.ts'
export type {
  ChangeDimension,
  ChangeMeasure,
  ChangeReason,
  Dimension,
  Granularity,
  Measure,
} from './traces/metrics.ts'
export {
  changeDimensions,
  changeMeasures,
  dimensions,
  granularities,
  MetricsFilters,
  measures,
} from './traces/metrics.ts'
export type { Log, SingleLog, Trace } from './traces/monitor.ts'
export { Generation, PlainLog } from './traces/monitor.ts'
export { type PriceList, type PriceOverride, pricePerMillionMax } from './traces/prices.ts'
export type { CostDifference, Recomputation } from './traces/recomputations.ts'
export type { RecordedField, RecordedLogFields, RecordedTraceFields } from './traces/recorded-values.ts'
export { recordedLogFields, recordedTraceFields, recordedValues } from './traces/recorded-values.ts'
export type { SampledBy, StoredLog, StoredTrace, Totals, TraceSummary } from './traces/stored-trace.ts'
export type { ConditionOperator, TraceCondition } from './traces/trace-conditions.ts'
export {
  conditionFields,
  defaultFacets,
  facetFields,
  filterParameters,
  metadataPrefix,
  operatorsOf,
  scorePrefix,
} from './traces/trace-conditions.ts'
export type { LogType, TraceField, TraceFieldName } from './traces/trace-fields.ts'
export { fieldEntries, logTypes, plainLogTypes, traceFields } from './traces/trace-fields.ts'
export { metadataFilterName, metadataFilterPattern, metadataFilterPrefix } from './traces/trace-filters.ts'
export { type GroupSort, groupSorts } from './traces/trace-groups.ts'
export type { DistributionMeasure, ExportedName, TraceSort } from './traces/trace-measures.ts'
export { distributionMeasures, traceSorts } from './traces/trace-measures.ts'
export { type TraceOutline, wholeCharactersMax, wholeLogsMax } from './traces/trace-outline.ts'
export { traceFormats } from './traces/traces.ts'
