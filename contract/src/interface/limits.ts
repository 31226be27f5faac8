/** Limits of a trace that the client also needs. */

/** Maximum number of logs in a trace. */
export const logsMax = 50_000

/** Maximum number of evaluator references in a trace, and in each of its logs. */
export const evaluatorReferencesMax = 1000
