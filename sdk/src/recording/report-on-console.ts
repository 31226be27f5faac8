/** Minimum interval between messages. */
const intervalMs = 30_000

/** Reports errors on the console, but not every one: an outage must not flood the application's own log. */
export function reportOnConsole(): (error: Error) => void {
  let quietUntil = 0
  let suppressedCount = 0
  return (error) => {
    if (performance.now() < quietUntil) {
      suppressedCount++
      return
    }
    console.warn(
      `Plumbline: ${error.message}${suppressedCount === 0 ? '' : ` (and ${suppressedCount} more before)`}`,
    )
    quietUntil = performance.now() + intervalMs
    suppressedCount = 0
  }
}
