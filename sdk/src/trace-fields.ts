/** The fields of a trace as defined by the interface, for code that lists, filters, shows or compares traces. */
export { differenceOf } from '@plumbline/contract/difference'
export { nearestName } from '@plumbline/contract/nearest-name'
export {
  type RecordedTraceFields,
  recordedLogFields,
  recordedTraceFields,
} from '@plumbline/contract/recorded-values'
export {
  type ConditionOperator,
  defaultFacets,
  filterParameters,
  metadataPrefix,
  operatorsOf,
  scorePrefix,
  type TraceCondition,
} from '@plumbline/contract/trace-conditions'
export {
  fieldEntries,
  type TraceField,
  type TraceFieldName,
  traceFields,
} from '@plumbline/contract/trace-fields'
export {
  type DistributionMeasure,
  distributionMeasures,
  type TraceSort,
} from '@plumbline/contract/trace-measures'
export { uuidOfAnyCasePattern } from '@plumbline/contract/uuids'
