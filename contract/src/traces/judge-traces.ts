/** Calls to models that judge are recorded as traces too, in a feature of their own. */

/** Lists, counts, metrics and costs leave its traces out unless a filter names the feature. */
export const judgesFeature = 'plumbline-judges'

/** The metadata key of such a trace that holds the id of the judged trace. */
export const judgedTraceKey = 'judgedTraceId'

/** The metadata key that holds the id of the judged session, whose turns are in the call. */
export const judgedSessionKey = 'judgedSessionId'
