/** The fields of a trace, as the interface states them once: for whoever lists, filters or shows traces. */
export {
  type ConditionOperator,
  defaultFacets,
  fieldEntries,
  filterParameters,
  metadataPrefix,
  operatorsOf,
  scorePrefix,
  type TraceCondition,
  type TraceField,
  type TraceFieldName,
  type TraceSort,
  traceFields,
} from '@plumbline/contract/trace-fields'
