/**
 * The result of work; if it takes longer, the result of `onTimeout`, which is undefined by default. The work continues,
 * and a later failure is ignored.
 */
export async function resultWithin<Result, Late = undefined>(
  timeoutMs: number,
  work: Promise<Result>,
  // Safe: without it `Late` is undefined.
  onTimeout: () => Late = () => undefined as Late,
): Promise<Result | Late> {
  const timeout = Promise.withResolvers<typeof timeoutMark>()
  const timer = setTimeout(() => timeout.resolve(timeoutMark), Math.max(0, timeoutMs))
  try {
    const result = await Promise.race([work, timeout.promise])
    return result === timeoutMark ? onTimeout() : result
  } finally {
    clearTimeout(timer)
  }
}

const timeoutMark = Symbol('timeout')
