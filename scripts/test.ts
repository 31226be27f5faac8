/**
 * `npm test`: types, lint and format, and every test on real engines except the slow group.
 *
 *   npm test                           everything except the slow group
 *   npm test prompts web/e2e/traces    the files whose path contains one of these
 *   npm run test:quick                 types, lint and format, and tests that start no service or process: units, and the stores on embedded engines
 *   npm run test:slow                  kills, outages, fuzzing, soaks and the packed packages: `*.slow.test.ts`
 *   npm test -- --times                reports at the end which processes and files used the most CPU
 *
 * Files that only compute share a process, and so do endpoint files that do not need their own service.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { hostEnvironment } from '../fixtures/environment.ts'
import { childrenCpuSeconds, processCpuSeconds } from './test/cpu-time.ts'
import { unseenAnswers } from './test/documented-answers.ts'
import { makePlan } from './test/plan.ts'
import { interruptUnits, runUnits, type Unit, type UnitResult } from './test/run-units.ts'
import { allTestFiles, selectFiles, type TestFile } from './test/select-files.ts'
import { makeTestFolder } from './test/test-folder.ts'

const { values: group, positionals: selectors } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    slow: { type: 'boolean', default: false },
    times: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const isSelection = selectors.length > 0
/** A selection includes slow files only if it names them. */
const namesSlowFiles = selectors.some((selector) => selector.includes('.slow'))
const isInGroup = ({ isSlow, hasProperties }: TestFile): boolean =>
  isSelection ? !isSlow || group.slow || namesSlowFiles : group.slow ? isSlow || hasProperties : !isSlow
const files = selectFiles(allTestFiles(), selectors)
  .filter(isInGroup)
  .filter(({ isQuick }) => isQuick || !group.quick)
if (files.length === 0) {
  console.error(`No test file has ${selectors.join(' or ')} in its path.`)
  process.exit(1)
}

// Lets V8 cache compiled code: loading modules takes most of the time of a short test.
hostEnvironment.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/plumbline/compiled')
mkdirSync(hostEnvironment.NODE_COMPILE_CACHE, { recursive: true })

if (group.slow) hostEnvironment.PLUMBLINE_TEST_RUNS_FACTOR ??= '20'

const folder = makeTestFolder({ isOnDisk: files.some(({ isSlow }) => isSlow) })
hostEnvironment.PLUMBLINE_TEST_PACKED = join(folder, 'packed')
mkdirSync(hostEnvironment.PLUMBLINE_TEST_PACKED)
const seenAnswers = join(folder, 'seen-answers')
writeFileSync(seenAnswers, '')

const total = { passed: 0, failed: 0, cpuSeconds: 0, pagesCpuSeconds: 0 }
const faults: string[] = []
const costs: { readonly name: string; readonly cpuSeconds: number }[] = []

/** One line per file, with its failures: thousands of passes would hide a failure. */
function print(unit: Unit, { output, report, succeeded, cpuSeconds }: UnitResult): void {
  const say = (isRight: boolean, text: string) =>
    process.stdout.write(`${isRight ? 'ok' : 'NOT OK'}  ${text}\n`)
  total.cpuSeconds += cpuSeconds
  total.pagesCpuSeconds += report?.pagesCpuSeconds ?? 0
  costs.push({ name: `${unit.name}${unit.files === undefined ? '' : ' (process)'}`, cpuSeconds })
  if (unit.files === undefined) {
    if (!succeeded) faults.push(`${unit.name} failed: see above.`)
    process.stdout.write(succeeded ? '' : output)
    say(succeeded, unit.name)
    return
  }
  process.stdout.write(output)
  if (report === undefined || !succeeded)
    faults.push(`The process of ${unit.name} ended before its tests did.`)
  for (const path of unit.files) {
    const { passed, failed, skipped, seconds, cpuSeconds } = report?.files[path] ?? noTests
    costs.push({ name: `${path}${unit.files.length > 1 ? ` in ${unit.name}` : ''}`, cpuSeconds })
    total.passed += passed
    total.failed += failed
    if (skipped > 0) faults.push(`${path} skips ${skipped} tests.`)
    if (passed + failed === 0) faults.push(`${path} ran no test.`)
    say(failed === 0 && passed > 0 && succeeded, `${path}  ${passed + failed} in ${seconds.toFixed(1)} s`)
  }
  process.stdout.write(`      ${unit.name}: ${cpuSeconds.toFixed(1)} s of CPU\n`)
}
const noTests = { passed: 0, failed: 0, skipped: 0, seconds: 0, cpuSeconds: 0 }

const startedAt = performance.now()
const plan = makePlan(files, {
  checksForm: !isSelection && !group.slow,
  hasPostgres: !group.quick,
  seenAnswers,
  folder,
})
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    interruptUnits()
    void plan.stop().finally(() => process.exit(1))
  })
// Units also wait for the disk and for timers. If no browser units fill that time, one more of the others does. Slow
// units are excluded, since each starts several processes.
const hasSpareTime = plan.browserUnits.length === 0 && !group.slow
const slots = availableParallelism() + (hasSpareTime ? 1 : 0)
try {
  await runUnits([plan.units, plan.browserUnits], slots, print)
  // The quick part does not see responses that only a service on PostgreSQL gives.
  if (!isSelection && !group.slow && !group.quick) faults.push(...unseenAnswers(seenAnswers))
} finally {
  await plan.stop()
}

for (const sentence of faults) process.stdout.write(`${sentence}\n`)
if (group.times)
  for (const { name, cpuSeconds } of costs.sort((first, second) => second.cpuSeconds - first.cpuSeconds))
    process.stdout.write(`${cpuSeconds.toFixed(1).padStart(7)} s  ${name}\n`)
const minutes = (performance.now() - startedAt) / 60_000
// Servers and browsers shared by units are children of this process.
const cpuSeconds =
  Math.max(total.cpuSeconds, childrenCpuSeconds() + total.pagesCpuSeconds) + processCpuSeconds()
process.stdout.write(
  `\n${files.length} files, ${minutes.toFixed(1)} minutes, ${cpuSeconds.toFixed(0)} s of CPU\n`,
)
process.stdout.write(`${total.passed} passed, ${total.failed + faults.length} failed\n`)
process.exitCode = total.failed + faults.length === 0 ? 0 : 1
