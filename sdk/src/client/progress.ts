/** A progress bar for terminals; elsewhere, nothing is shown. */
import type { Screen } from './platform.ts'

export interface Progress {
  advance(hasFailed: boolean): void
  end(): void
}

const redrawMs = 100
const barWidth = 24

export function makeProgress(total: number, screen: Screen | undefined): Progress {
  if (screen?.isTTY !== true) return { advance() {}, end() {} }
  const startedAt = performance.now()
  let done = 0
  let failed = 0
  let drawnAt = 0
  const draw = (now: number): void => {
    drawnAt = now
    const filled = Math.round((done / Math.max(total, 1)) * barWidth)
    const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled)
    const secondsLeft = Math.ceil((((now - startedAt) / done) * (total - done)) / 1000)
    const line = `${bar} ${done}/${total}  ${failed} failed  ${secondsLeft} s left`
    // A line that wraps could not be overwritten.
    screen.write(`\r\x1b[K${line.slice(0, (screen.columns ?? 80) - 1)}`)
  }
  return {
    advance(hasFailed) {
      done++
      if (hasFailed) failed++
      const now = performance.now()
      if (now - drawnAt >= redrawMs || done === total) draw(now)
    },
    end() {
      screen.write('\r\x1b[K')
    },
  }
}
