/** `npm start` as supervisors run it: they signal npm's process, not the service's. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { hostEnvironment } from '../fixtures/environment.ts'

const dataFolder = mkdtempSync(join(tmpdir(), 'plumbline-'))
after(() => rmSync(dataFolder, { recursive: true, force: true }))

it('SIGTERM to npm start shuts the service down cleanly (operator review, finding 4)', async () => {
  const npm = spawn('npm', ['start'], {
    cwd: join(import.meta.dirname, '..'),
    env: {
      ...hostEnvironment,
      HOST: '127.0.0.1',
      PORT: '0',
      OTLP_GRPC_PORT: '0',
      PLUMBLINE_DATA_DIR: dataFolder,
      LOG_LEVEL: 'info',
    },
    // A separate process group, so that any remaining processes can be ended.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  after(() => endGroup(npm.pid!))
  let output = ''
  const readOutput = (stream: NodeJS.ReadableStream): void => {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  }
  readOutput(npm.stdout)
  readOutput(npm.stderr)
  while (!output.includes('"listening"')) await Promise.race([once(npm.stderr, 'data'), once(npm, 'exit')])
  const port = /"port":(\d+)/.exec(output)?.[1]
  const readyz = `http://127.0.0.1:${port}/readyz`
  assert.equal((await fetch(readyz)).status, 200)

  npm.kill('SIGTERM')
  const [status] = await once(npm, 'exit')

  await assert.rejects(fetch(readyz), 'the service still answers after npm has ended')
  assert.match(output, /"reason":"SIGTERM"/)
  assert.equal(status, 0)
})

/** Kills the remaining processes of a group. */
function endGroup(groupId: number): void {
  try {
    process.kill(-groupId, 'SIGKILL')
  } catch {
    // Nothing is left, as it should be.
  }
}
