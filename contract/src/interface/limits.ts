/** Limits of a trace that the client must know as well. */

/** Logs of one trace. */
export const logsMax = 50_000

/** References to evaluators of one trace, and of each of its logs. */
export const evaluatorReferencesMax = 1000
