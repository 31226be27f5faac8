import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { it } from 'node:test'
import { promisify } from 'node:util'
import { fates, startProxy, startService } from '../testing.ts'

const service = await startService()
const proxy = await startProxy(service.url)

/** Runs a program that only records, in a process of its own. */
async function runProgram(lines: string, options = '') {
  const index = new URL('../index.ts', import.meta.url).href
  const program = `import { createClient } from '${index}'
    const plumbline = createClient({ baseUrl: '${proxy.url}', apiKey: '${service.workspace.key.secret}', ${options} })
    ${lines}`
  return promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { timeout: 60_000 })
}

it('a program that ends without a flush still has its traces delivered', async () => {
  await runProgram(`plumbline.trace({ name: 'last words', output: 'Bye.' }).end()`)
  const traceRequests = proxy.requests.filter(({ path }) => path === '/v1/traces')
  assert.equal(traceRequests.length, 1)
})

it('a program that awaits a flush stays alive until it has ended', async () => {
  const { stdout } = await runProgram(`
    plumbline.trace({ name: 'flushed' }).end()
    console.log((await plumbline.flush()).delivered)`)
  assert.equal(stdout, '1\n')
})

it('a client with nothing to deliver keeps no process alive and leaves no listener', async () => {
  const { stdout } = await runProgram(`
    plumbline.trace({ name: 'done' }).end()
    await plumbline.flush()
    console.log(process.listenerCount('beforeExit'))`)
  assert.equal(stdout, '0\n')
})

it('a page that is hidden sends waiting records at once, so that they outlive the page', async () => {
  const { stdout } = await runProgram(`
    globalThis.document = Object.assign(new EventTarget(), { visibilityState: 'visible' })
    const page = createClient({ baseUrl: '${proxy.url}', apiKey: '${service.workspace.key.secret}', batchDelayMs: 3_600_000 })
    const trace = page.trace({ name: 'hidden' })
    trace.end()
    document.visibilityState = 'hidden'
    document.dispatchEvent(new Event('visibilitychange'))
    console.log(typeof (await trace.recorded()).trace.id)
    process.exit()`)
  assert.equal(stdout, 'string\n')
})

it('during an outage, the exit is delayed only for seconds, and losses are reported', async () => {
  proxy.fate(fates.breakOff)
  const { stderr } = await runProgram(`plumbline.trace({ name: 'lost' }).end()`)
  assert.match(stderr, /Plumbline: .* cannot be reached/)
})

it('a request that never ends does not keep the process alive, neither at exit nor after the client is closed', async () => {
  proxy.fate(fates.hang)
  const record = `plumbline.trace({ name: 'hanging' }).end()`
  const close = `await plumbline.close({ timeoutMs: 50 })`
  const programs = [record, `${record}; ${close}`]
  await Promise.all(programs.map((lines) => runProgram(lines, 'timeoutMs: 3_600_000')))
})
