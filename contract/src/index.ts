export type { Account } from './accounts.ts'
export type { Alert, AlertEvent, AlertMeasure, AlertRule, AlertState } from './alerts.ts'
export { AlertFilters, alertMeasures, alertStates, eventReasons, eventTypes } from './alerts.ts'
export type {
  AnnotationFeed,
  AnnotationItem,
  AnnotationProgress,
  AnnotationQueue,
  AnnotationTurn,
  Annotator,
  AnnotatorAgreement,
  Share,
} from './annotation-queues.ts'
export { annotationItemsMax } from './annotation-queues.ts'
export type { AuditActorType, AuditEntry, AuditedRoute, AuditLogSettings, AuditOutcome } from './audit.ts'
export { auditActorTypes, auditDaysMin, auditedRoutes, auditOutcomes, isAudited } from './audit.ts'
export { type AuditedSettings, auditedSettings } from './audited-settings.ts'
export type { Channel, ChannelType } from './channels.ts'
export { channelTypes } from './channels.ts'
export type { Connection } from './connections.ts'
export { connectionProviders } from './connections.ts'
export type { Conversation, ConversationTurn } from './conversations.ts'
export type { Column, Dataset, DatasetRow, DatasetSummary, StoredRow } from './datasets.ts'
export { columnTypes, rowFormats } from './datasets.ts'
export type { Deletion, DeletionState } from './deletions.ts'
export { deletionIdsMax, deletionStates } from './deletions.ts'
export { EmbeddingJudge } from './embedding-judge.ts'
export type { Erasure, SubjectType } from './erasures.ts'
export { subjectTypes } from './erasures.ts'
export type { ErrorCode, ErrorFacts } from './errors.ts'
export { errors, invalid, ServiceError } from './errors.ts'
export type { Evaluation } from './evaluations.ts'
export { evaluationStates } from './evaluations.ts'
export type {
  DryRun,
  Evaluator,
  EvaluatorTemplate,
  EvaluatorVersion,
  SamplingGroup,
} from './evaluators.ts'
export { defaultSampleRate, evaluatorKinds } from './evaluators.ts'
export { importRefusalsMax } from './exchange.ts'
export type { ExperimentCase, ExperimentRun, ExperimentTarget } from './experiment-runs.ts'
export { experimentCaseStates, experimentCasesMax, experimentRunStates } from './experiment-runs.ts'
export type { ComparedCase, Experiment, MeasureComparison } from './experiments.ts'
export type { Feature } from './features.ts'
export { mediaTypePattern } from './files.ts'
export { HumanJudge } from './human-judge.ts'
export type { Invitation } from './invitations.ts'
export { emailPattern } from './invitations.ts'
export type { Job, JobCounts, JobState } from './jobs.ts'
export { jobStates } from './jobs.ts'
export type { JudgeAgreement } from './judge-agreement.ts'
export type { ApiKey } from './keys.ts'
export type { LedgerEntry } from './ledger.ts'
export { evaluatorReferencesMax, logsMax } from './limits.ts'
export type {
  MaskingAction,
  MaskingDetector,
  MaskingField,
  MaskingRule,
  RehearsedRule,
} from './masking.ts'
export {
  maskingActions,
  maskingDetectors,
  maskingFields,
  maskingPatternLengthMax,
  maskingRulesMax,
  rehearsedTracesMax,
} from './masking.ts'
export type { Member } from './members.ts'
export type { Dimension, Granularity, Measure } from './metrics.ts'
export { dimensions, granularities, MetricsFilters, measures } from './metrics.ts'
export { judgedVariables, ModelJudge } from './model-judge.ts'
export type { Log, SingleLog, Trace } from './monitor.ts'
export { Generation, PlainLog } from './monitor.ts'
export { openApiDocument } from './openapi.ts'
export type { InputOf, Method, NeededRole, Operation, OutputOf, Role, Scope } from './operation.ts'
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
} from './operation.ts'
export { allOperations, operations } from './operations.ts'
export type { EndOrganization } from './organizations.ts'
export { otherPatternProblem, patternProblems } from './pattern-problems.ts'
export type { PriceOverride } from './prices.ts'
export type {
  Model,
  ModelInput,
  Prompt,
  PromptMessage,
  PromptSummary,
  ServedRollout,
  TagMove,
  VersionUsage,
} from './prompts.ts'
export { latestTag, productionTag } from './prompts.ts'
export type { RecordedField, RecordedLogFields, RecordedTraceFields } from './recorded-values.ts'
export { recordedLogFields, recordedTraceFields, recordedValues } from './recorded-values.ts'
export type { Resource } from './resources.ts'
export { resourceGroups, resources } from './resources.ts'
export type { WorkspaceRetention } from './retention.ts'
export type { Rollout, RolloutMeasure } from './rollouts.ts'
export { rolloutStatuses } from './rollouts.ts'
export type { Score } from './scores.ts'
export type { Person, Session } from './session.ts'
export type {
  EvaluatorReference,
  Organization,
  PromptReference,
  TextOrJson,
  Timestamp,
  User,
  Variable,
} from './shapes.ts'
export { schemaName, slugPattern } from './shapes.ts'
export type { ConditionOperator, TraceCondition } from './trace-conditions.ts'
export {
  conditionFields,
  defaultFacets,
  facetFields,
  filterParameters,
  metadataPrefix,
  operatorsOf,
  scorePrefix,
} from './trace-conditions.ts'
export type { LogType, TraceField, TraceFieldName } from './trace-fields.ts'
export { fieldEntries, logTypes, plainLogTypes, traceFields } from './trace-fields.ts'
export { type GroupSort, groupSorts } from './trace-groups.ts'
export type { DistributionMeasure, ExportedName, TraceSort } from './trace-measures.ts'
export { distributionMeasures, traceSorts } from './trace-measures.ts'
export type { SampledBy, StoredLog, StoredTrace, Totals, TraceSummary } from './traces.ts'
export { metadataFilterPrefix, traceFormats } from './traces.ts'
export type { EndUser } from './users.ts'
export type { Verdict } from './verdict.ts'
export type { PromptVersion } from './versions.ts'
export type { View } from './views.ts'
export type { Workspace } from './workspaces.ts'
