/** How often the console is told of errors, at most. */
const everyMs = 30_000

/** Tells of errors on the console, but not of each one: an outage must not flood the application's own log. */
export function tellOnConsole(): (error: Error) => void {
  let quietUntil = 0
  let untold = 0
  return (error) => {
    if (Date.now() < quietUntil) {
      untold++
      return
    }
    console.warn(`Plumbline: ${error.message}${untold === 0 ? '' : ` (and ${untold} more before)`}`)
    quietUntil = Date.now() + everyMs
    untold = 0
  }
}
