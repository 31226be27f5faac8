import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it } from 'node:test'
import { hostEnvironment } from '../../fixtures/environment.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { freePort } from '../../fixtures/free-port.ts'
import { emptyFolder, makeShell, Paper } from './testing.ts'

const folder = emptyFolder()
const environment = {
  PATH: hostEnvironment.PATH,
  PLUMBLINE_API_KEY: 'pl_key_of_this_test',
  OTLP_GRPC_PORT: '0',
}
const settings = { url: undefined, key: undefined, environment }

it('serve runs the service with its options until it is interrupted, and then lets it finish', async () => {
  const interrupt = new AbortController()
  const stdout = new Paper()
  const port = String(await freePort())
  const serving = makeShell('', '', { settings, stdout, signal: interrupt.signal })(
    ...['serve', '--port', port, '--data-dir', join(folder, 'data'), '--log-level', 'error'],
  )
  await eventually(async () => assert.match(stdout.text, /Plumbline is ready/))
  const shell = makeShell(`http://localhost:${port}`, environment.PLUMBLINE_API_KEY)
  assert.equal((await shell('doctor')).status, 0)
  interrupt.abort()
  assert.equal((await serving).status, 0)
})

it('serve fails if the service does, which reports the problem', async () => {
  const stderr = new Paper()
  const shell = makeShell('', '', { settings, stderr })
  const { status } = await shell('serve', '--port', 'many', '--data-dir', join(folder, 'data'))
  assert.equal(status, 1)
  assert.match(stderr.text, /PORT must be a whole number/)
})
