/** How long a metric or a health check waits for one part, so that all of them answer within a second. */
export const metricTimeoutMs = 800
