/**
 * `npm test`: types and form, then every test on real engines, the endpoint tests on SQLite and again on PostgreSQL.
 * It fails too where the contract documents an answer that no test has seen.
 */
import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { run } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'
import { allOperations, errors, errorsOfBody, sharedErrors } from '@plumbline/contract'
import { hostEnvironment } from '../fixtures/environment.ts'
import { unpackBrowser } from '../web/e2e/browser.ts'
import { startService } from '../web/e2e/start-service.ts'
import { startPostgres } from './postgres-for-tests.ts'

/** Documented answers that no test has to see, each with its reason. */
const exempt: Readonly<Record<number, string>> = {
  500: 'Only a bug of ours is answered so: a request that provoked one would be mended instead.',
}

/** Most of a test's time is its own process: one for each core. */
const processes = 2

/** A file that hangs is ended, and fails; the slowest takes some minutes where the machine is busy. */
const fileTimeoutMs = 900_000

interface Outcome {
  passed: number
  failed: number
  /** Files whose tests came to their end. */
  readonly ended: Set<string>
}

async function succeeds(command: string, ...parameters: readonly string[]): Promise<boolean> {
  const child = spawn(resolve('node_modules/.bin', command), parameters, { stdio: 'inherit' })
  return new Promise((done) => child.once('exit', (code) => done(code === 0)))
}

function runFiles(files: readonly string[]): Promise<Outcome> {
  return new Promise((done) => {
    const outcome: Outcome = { passed: 0, failed: 0, ended: new Set() }
    run({ files, concurrency: processes, timeout: fileTimeoutMs })
      .on('test:summary', ({ file, counts: of }) => {
        if (file !== undefined) outcome.ended.add(file)
        else {
          outcome.passed = of.passed
          outcome.failed = of.tests - of.passed - of.skipped - of.todo
        }
      })
      .compose(report)
      .on('end', () => done(outcome))
      .pipe(process.stdout, { end: false })
  })
}

/** What the runner itself says of each file; the rest is what a test found worth telling. */
const runnersOwn = /^(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) \d/

/** A line for each file and what failed in it: thousands of passes would hide a failure. */
async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type === 'test:summary' && data.file !== undefined) {
      const seconds = (data.duration_ms / 1000).toFixed(1)
      yield `${data.success ? 'ok' : 'NOT OK'}  ${relative('.', data.file)}  ${data.counts.tests} in ${seconds} s\n`
    } else if (type === 'test:fail' && data.details.type !== 'suite') {
      const { cause } = data.details.error
      yield `\nFAILED  ${data.file && relative('.', data.file)}:${data.line}  ${data.name}\n${inspect(cause)}\n\n`
    } else if (type === 'test:diagnostic' && !runnersOwn.test(data.message)) yield `    ${data.message}\n`
    else if (type === 'test:stderr') yield data.message
  }
}

/** `prompts.get 404`, for every answer that the contract documents. */
const documentedAnswers = (): Set<string> =>
  new Set(
    allOperations.flatMap((operation) => {
      const { name, success, errors: own } = operation
      const codes = [...own, ...sharedErrors, ...errorsOfBody(operation)]
      const statuses = [success, ...codes.map((code) => errors[code].status)]
      return statuses.filter((status) => exempt[status] === undefined).map((status) => `${name} ${status}`)
    }),
  )

/** What is missing from the answers that the endpoint tests noted, a sentence each. */
function unseenIn(answers: string): string[] {
  const seen = new Set(readFileSync(answers, 'utf8').split('\n'))
  return [...documentedAnswers()]
    .filter((answer) => !seen.has(answer))
    .map((answer) => `No test has seen the documented answer ${answer}.`)
}

const inForm = await Promise.all([
  succeeds('tsc', '--noEmit'),
  succeeds('tsc', '--noEmit', '-p', 'web'),
  succeeds('biome', 'check', '.'),
  succeeds('node', 'scripts/check-imports.ts'),
])
// Not told apart from the types and the form: a page that does not build cannot be tested either.
inForm.push(await succeeds('vite', 'build', 'web', '--logLevel', 'warn'))
const files = globSync('{contract,storage,server,sdk,cli,web,scripts,fixtures,examples}/**/*.test.ts', {
  exclude: (path) => path.includes('node_modules'),
}).map((file) => resolve(file))
const endpointFiles = files.filter((file) => readFileSync(file, 'utf8').includes('await startTestApp('))

const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
const postgres = await startPostgres()
// One for all tests of the page: filling it takes longer than most of them.
const service = await startService()
await unpackBrowser()
const missing: string[] = []
const total = { passed: 0, failed: 0 }
try {
  hostEnvironment.PLUMBLINE_TEST_DATABASE_URL = postgres.url
  hostEnvironment.PLUMBLINE_E2E_URL = service.url
  hostEnvironment.PLUMBLINE_E2E_KEY = service.key
  for (const [control, those] of [
    ['SQLite', files],
    ['PostgreSQL', endpointFiles],
  ] as const) {
    process.stdout.write(`\n${those.length} files, the control plane of endpoint tests on ${control}\n`)
    const answers = join(folder, control)
    writeFileSync(answers, '')
    hostEnvironment.PLUMBLINE_TEST_CONTROL = control
    hostEnvironment.PLUMBLINE_TEST_SEEN = answers
    const { passed, failed, ended } = await runFiles(those)
    total.passed += passed
    total.failed += failed
    // A process that ends before its tests do reports nothing and ends with 0.
    for (const file of those.filter((one) => !ended.has(one)))
      missing.push(`The tests of ${relative('.', file)} ended before their end.`)
    missing.push(...unseenIn(answers))
  }
} finally {
  await service.stop()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

for (const sentence of missing) process.stdout.write(`${sentence}\n`)
if (inForm.includes(false)) process.stdout.write('The types or the form are not right: see above.\n')
total.failed += missing.length + inForm.filter((isRight) => !isRight).length
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`)
process.exitCode = total.failed === 0 ? 0 : 1
