/** How long a metric or a health check waits for one part, so that all of them answer within a second. */
export const metricTimeoutMs = 800

/** The result of work, or undefined if it takes longer. The work goes on. */
export async function resultWithin<Result>(
  timeoutMs: number,
  work: Promise<Result>,
): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
