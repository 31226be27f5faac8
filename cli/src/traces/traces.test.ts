import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { operations } from '@plumbline/contract'
import { eventually } from '../../../fixtures/eventually.ts'
import { fates, startProxy, startService } from '../../../sdk/src/testing.ts'
import { emptyFolder, makeShell, Paper } from '../testing.ts'

const { url, workspace } = await startService()
const settings = { url, key: workspace.key.secret }
const shell = makeShell(url, workspace.key.secret)
const folder = emptyFolder()

const record = async (fields: object): Promise<string> =>
  (await workspace.ok(operations.monitor.trace, fields)).trace.id

const day = (second: number): string => `2025-03-01T10:00:${String(second).padStart(2, '0')}Z`
const ids: string[] = []
for (let second = 0; second < 12; second++)
  ids.push(
    await record({
      name: `t${second}`,
      startTime: day(second),
      ...(second === 7 && {
        environment: 'production',
        release: '2.0',
        tags: ['beta', 'eu'],
        sessionId: 's',
      }),
    }),
  )
await eventually(async () => {
  const { traces } = await workspace.ok(operations.traces.list, { limit: 50 })
  assert.equal(traces.length, ids.length)
})

it('list filters and limits traces, and get prints one', async () => {
  const { stdout } = await shell('traces', 'list', '--limit', '3', '--to', day(10))
  assert.match(stdout, /t9\n.*t8\n.*t7\n$/)
  assert.equal((await shell.json<unknown[]>('traces', 'list', '--name', 't4')).length, 1)
  assert.equal((await shell.json<{ name: string }>('traces', 'get', ids[4]!)).name, 't4')
  const unknown = await shell('traces', 'get', 'nobody')
  assert.deepEqual([unknown.status, unknown.stderr], [1, 'No trace has the id "nobody".\n'])
  assert.equal((await shell('traces', 'list', '--limit', 'many')).status, 2)
  assert.equal((await shell('traces', 'list', '--from', 'soon')).status, 1)
})

it('list can filter by every field that has a parameter', async () => {
  for (const option of [
    ['--environment', 'production'],
    ['--release', '2.0'],
    ['--tag', 'eu'],
    ['--session', 's'],
  ]) {
    const listed = await shell.json<{ name: string }[]>('traces', 'list', ...option)
    assert.deepEqual([option[0], ...listed.map(({ name }) => name)], [option[0], 't7'])
  }
  assert.deepEqual(await shell.json<unknown[]>('traces', 'list', '--prompt-version', '9'), [])
  assert.match((await shell('traces', 'list', '--help')).stdout, /--tag <value> +that carry this tag/)
})

it('export writes all traces in the range, complete', async () => {
  const file = join(folder, 'all.jsonl')
  const done = await shell('traces', 'export', file, '--from', day(2))
  assert.equal(done.stdout, `10 traces are in ${file}.\n`, done.stderr)
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  const read = lines.map((line) => JSON.parse(line) as { name: string; logs: unknown[] })
  assert.deepEqual(
    read.map(({ name }) => name),
    Array.from({ length: 10 }, (_none, index) => `t${11 - index}`),
  )
  assert.deepEqual(read[0]!.logs, [])
})

it('an interrupted export leaves only a partial file, and prints how to fetch the rest', async () => {
  const proxy = await startProxy(url)
  const file = join(folder, 'cut.jsonl')
  proxy.fate(fates.pass, async (response, forward) => {
    const text = await (await forward()).text()
    response.writeHead(200, { 'content-length': text.length * 2 })
    response.write(text.slice(0, text.length / 2), () => response.destroy())
  })
  const { status, stderr } = await makeShell(proxy.url, settings.key)('traces', 'export', file)
  assert.equal(status, 1)
  assert.match(stderr, /not complete: the response of the service was cut off\. The partial file is/)
  assert.ok(!existsSync(file))
  const to = /--to (\S+),/.exec(stderr)![1]!
  const part = readFileSync(`${file}.part`, 'utf8').trimEnd().split('\n')
  const rest = (await shell('traces', 'export', '--to', to)).stdout.trimEnd().split('\n')
  const names = [...part, ...rest].map((line) => (JSON.parse(line) as { name: string }).name)
  assert.equal(new Set(names).size, ids.length)
})

it('tail shows each new trace once, across an outage, until it is interrupted', async () => {
  const proxy = await startProxy(url)
  const interrupt = new AbortController()
  const stdout = new Paper()
  const stderr = new Paper()
  const tailing = makeShell(proxy.url, settings.key, { stdout, stderr, signal: interrupt.signal })(
    'traces',
    'tail',
    '--interval',
    '1',
  )
  await record({ name: 'first' })
  await eventually(async () => assert.match(stdout.text, /first/))
  proxy.fate(fates.pass, fates.breakOff)
  await record({ name: 'second' })
  await eventually(async () => assert.match(stdout.text, /second/))
  assert.match(stderr.text, /cannot be reached\. Retrying\.\nThe service is reachable again\./)
  interrupt.abort()
  assert.equal((await tailing).status, 0)
  assert.equal(stdout.text.match(/first/g)!.length, 1)
})
