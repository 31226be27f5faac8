/** How long a metric or a health check waits for one part, so that all of them respond within a second. */
export const metricTimeoutMs = 800
