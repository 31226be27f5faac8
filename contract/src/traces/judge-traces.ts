/** Calls of models that judge are traces too, in a feature of the service. */

/** Lists, counts, metrics and costs leave its traces out unless a filter names it. */
export const judgesFeature = 'plumbline-judges'

/** The key of the metadata of such a trace with the id of the judged one. */
export const judgedTraceKey = 'judgedTraceId'

/** The same with the session that was judged, whose turns are in the call. */
export const judgedSessionKey = 'judgedSessionId'
