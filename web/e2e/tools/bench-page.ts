/**
 * `npm run bench:page [-- 1000000]`: the speed of the web app, in a real Chromium with a real service and this number
 * of demo traces: frames per second while scrolling a trace of 10,000 logs, and the time from the list's response to
 * its first rows.
 */
import { availableParallelism, loadavg } from 'node:os'
import type { BrowserContext } from 'playwright-core'
import { openBrowser } from '../support/browser.ts'
import { signIn } from '../support/sign-in.ts'
import { type Service, startService } from '../support/start-service.ts'

const traces = Number(process.argv[2] ?? 2000)
const logCount = 10_000
const scrolledSeconds = 5
const loads = 9
const framesMin = 50
const rowsMsMax = 300

/** A trace as deep and wide as those of large agents: steps with calls and tools below them. */
async function recordLargeTrace({ url, key }: Service): Promise<string> {
  const start = Date.now() - 3_600_000
  const logs = Array.from({ length: logCount }, (_, index) => ({
    id: `log-${index}`,
    type: (['generation', 'tool', 'span', 'function', 'retrieval'] as const)[index % 5],
    name: `step ${index}`,
    ...(index > 0 && { parentId: `log-${Math.floor((index - 1) / 4)}` }),
    startTime: new Date(start + index * 10).toISOString(),
    ...(index % 97 !== 0 && {
      endTime: new Date(start + index * 10 + 40 + (index % 13) * 200).toISOString(),
    }),
    input: { question: `What is ${index}?` },
    output: `It is ${index}.`,
    ...(index % 5 === 0 && { inputTokens: 100 + (index % 50), outputTokens: 20, cost: 0.0001 }),
    ...(index % 211 === 0 && { metadata: { error: 'It was too much.' } }),
  }))
  const answer = await fetch(`${url}/monitor/trace`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'A large trace', logs }),
  })
  if (!answer.ok) throw new Error(await answer.text())
  return ((await answer.json()) as { trace: { id: string } }).trace.id
}

interface Frames {
  readonly perSecond: number
  readonly p99Ms: number
  /** The CPU time of a frame on the page's main thread, which is meaningful even on a shared machine. */
  readonly workMs: number
}

/** Scrolls by a fixed distance per frame for some seconds, and counts the rendered frames. */
async function scrollTrace(context: BrowserContext, url: string, pixels: number): Promise<Frames> {
  const page = await context.newPage()
  await page.goto(url)
  const tree = page.getByRole('tree', { name: 'Logs' })
  await tree.getByText('step 0', { exact: true }).waitFor()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const workedSeconds = async (): Promise<number> => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
  }
  const before = await workedSeconds()
  const gaps = await tree.evaluate(
    (element, { pixels, ms }) =>
      new Promise<number[]>((onDone) => {
        const times: number[] = []
        let direction = 1
        const startedAt = performance.now()
        const next = (now: number): void => {
          times.push(now)
          if (now - startedAt > ms) {
            onDone(times.slice(1).map((time, index) => time - (times[index] as number)))
            return
          }
          const isAtEnd = element.scrollTop + element.clientHeight >= element.scrollHeight - 1
          if (isAtEnd) direction = -1
          if (element.scrollTop <= 0) direction = 1
          element.scrollTop += pixels * direction
          requestAnimationFrame(next)
        }
        requestAnimationFrame(next)
      }),
    { pixels, ms: scrolledSeconds * 1000 },
  )
  const worked = (await workedSeconds()) - before
  await page.close()
  const total = gaps.reduce((sum, gap) => sum + gap, 0)
  return {
    perSecond: (gaps.length / total) * 1000,
    p99Ms: quantile(gaps, 0.99),
    workMs: (worked / gaps.length) * 1000,
  }
}

/** Milliseconds from the end of the list's response to the frame that shows its first rows. */
async function loadList(context: BrowserContext, url: string): Promise<number> {
  const page = await context.newPage()
  await page.addInitScript(() => {
    const watcher = new MutationObserver(() => {
      if (document.querySelector('[role=row][aria-rowindex="2"]') === null) return
      watcher.disconnect()
      // It is visible in the frame after the next.
      requestAnimationFrame(() => requestAnimationFrame(() => performance.mark('rows')))
    })
    watcher.observe(document, { childList: true, subtree: true })
  })
  await page.goto(`${url}/app/traces?range=90d`)
  await page.waitForFunction(() => performance.getEntriesByName('rows').length > 0, undefined, {
    timeout: 120_000,
  })
  const ms = await page.evaluate(() => {
    const answers = performance
      .getEntriesByType('resource')
      .filter(({ name }) => /\/monitor\/traces(\?|$)/.test(name)) as PerformanceResourceTiming[]
    const rows = performance.getEntriesByName('rows')[0]?.startTime ?? Number.NaN
    return rows - Math.min(...answers.map(({ responseEnd }) => responseEnd))
  })
  await page.close()
  return ms
}

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
  Number.NaN

const verdictOf = (isMet: boolean): string => (isMet ? 'met' : 'MISSED')

const service = await startService({ traces })
const { browser, release } = await openBrowser()
try {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' })
  await signIn(context, service.url)
  const traceUrl = `${service.url}/app/traces/${await recordLargeTrace(service)}`
  console.log(
    `A trace of ${logCount.toLocaleString('en')} logs, scrolled for ${scrolledSeconds} s (aim: ${framesMin} frames/s)`,
  )
  for (const [name, pixels] of [
    ['read, 60 px a frame', 60],
    ['skimmed, 240 px a frame', 240],
    ['flung, a screen a frame', 800],
  ] as const) {
    const { perSecond, p99Ms, workMs } = await scrollTrace(context, traceUrl, pixels)
    console.log(
      `  ${name.padEnd(26)} ${perSecond.toFixed(1).padStart(5)} frames/s, 99 % within ${p99Ms.toFixed(0)} ms, ${workMs.toFixed(1)} ms of work each  ${verdictOf(perSecond >= framesMin)}`,
    )
  }
  const times: number[] = []
  for (let count = 0; count < loads; count += 1) times.push(await loadList(context, service.url))
  const median = quantile(times, 0.5)
  console.log(
    `The list with ${traces.toLocaleString('en')} traces, from the answer to its first rows (aim: ${rowsMsMax} ms)`,
  )
  console.log(
    `  median ${median.toFixed(0)} ms, longest ${Math.max(...times).toFixed(0)} ms of ${loads}  ${verdictOf(median <= rowsMsMax)}`,
  )
  console.log(
    `Beside other work the figures say little: the load is ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores.`,
  )
} finally {
  await release()
  await service.stop()
}
