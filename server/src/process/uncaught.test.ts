/** C2: uncaught errors. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { it } from 'node:test'

it('an uncaught error of a request ends that request; any other stops the process (C2)', async (t) => {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../testing/fail-on-request.ts')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.after(() => child.kill('SIGKILL'))
  const log = text(child.stderr)
  const exited = once(child, 'exit')
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  const url = `http://127.0.0.1:${String(port).trim()}`
  for (const path of ['/promise', '/decompressor', '/transform', '/timer']) {
    const response = await fetch(url + path, {
      method: 'POST',
      body: 'this is no gzip',
      headers: { connection: 'close' },
    })
    assert.deepEqual([response.status, await response.text()], [500, 'failed'], path)
    assert.equal(await (await fetch(url)).text(), 'alive')
  }
  assert.equal(await (await fetch(`${url}/outside`)).text(), 'to come')
  assert.deepEqual(await exited, [7, null])
  const lines = (await log)
    .trim()
    .split('\n')
    .map(
      (line) => JSON.parse(line) as { level: number; requestId: string; msg: string; err: { stack: string } },
    )
  const fatal = 60
  assert.deepEqual(
    lines.map(({ level, requestId }) => [level, requestId]),
    ['/promise', '/decompressor', '/transform', '/timer', '/outside'].map((path) => [fatal, path]),
  )
  for (const { err } of lines) assert.match(err.stack, /Error: .*\n +at /)
  assert.match(lines.at(-1)!.msg, /the service shuts down/)
})
