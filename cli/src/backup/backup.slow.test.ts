import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { createClient, type Plumbline } from '@plumbline/sdk'
import { eventually } from '../../../fixtures/eventually.ts'
import { freePort } from '../../../fixtures/free-port.ts'
import { spawnService, testKey } from '../../../sdk/src/testing.ts'
import { emptyFolder, makeShell } from '../testing.ts'

const folder = emptyFolder()
const file = join(folder, 'backup.tar')
const restored = join(folder, 'restored')
const port = await freePort()
const url = `http://127.0.0.1:${port}`
const plumbline = createClient({ baseUrl: url, apiKey: testKey })
const shell = makeShell(url, testKey)

/** What users created, as the service returns it. */
const listAll = async ({ prompts, datasets, files, features }: Plumbline, fileKey: string) => ({
  features: await features.list(),
  prompts: await prompts.list(),
  prompt: await prompts.get({ slug: 'greeting' }),
  history: await prompts.history({ slug: 'greeting' }),
  dataset: await datasets.get({ slug: 'cases' }),
  file: await (await files.get({ fileKey })).text(),
})

/** Ten at a time: on a busy machine, hundreds of concurrent requests would exceed the client's timeout. */
async function readTraces(ids: readonly string[]) {
  const traces = []
  for (let from = 0; from < ids.length; from += 10) {
    const some = ids.slice(from, from + 10)
    traces.push(...(await Promise.all(some.map((id) => plumbline.traces.get({ id })))))
  }
  return traces
}

it('a service restored from a backup made under load has everything acknowledged before the backup', async () => {
  const service = await spawnService(join(folder, 'data'), port)
  await plumbline.features.create({ slug: 'chat', name: 'Chat' })
  await plumbline.prompts.create({ slug: 'greeting', name: 'Greeting', featureSlug: 'chat' })
  for (const text of ['Hi', 'Hello {{ name }}'])
    await plumbline.versions.create({ slug: 'greeting', text, tags: ['production'] })
  const columns = [{ name: 'question', type: 'text' as const }]
  await plumbline.datasets.create({ slug: 'cases', name: 'Cases', columns })
  await plumbline.datasets.add({ slug: 'cases', values: { question: 'Why?' }, idealOutput: 'Because.' })
  const { uploadUrl, fileKey } = await plumbline.files.sign({ fileName: 'a.txt', contentType: 'text/plain' })
  await fetch(uploadUrl, { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'The bytes.' })
  const madeBefore = await listAll(plumbline, fileKey)

  const ids: string[] = []
  let isRecording = true
  const record = async (): Promise<void> => {
    while (isRecording) {
      const name = `trace ${ids.length}`
      const { trace } = await plumbline.monitor.trace({
        name,
        logs: [{ id: 'l', type: 'span', output: name }],
      })
      ids.push(trace.id)
    }
  }
  const recording = Promise.all([record(), record(), record()])
  // By then, some have been moved to the trace store, and some have not.
  await eventually(async () => assert.ok(ids.length >= 100))
  const acknowledged = [...ids]
  const outcome = await shell.json<{ files: number }>('backup', file)
  // L3: other users of the machine can read neither the data folder nor its backup.
  assert.equal(statSync(file).mode & 0o777, 0o600)
  await eventually(async () => assert.ok(ids.length > acknowledged.length))
  isRecording = false
  await recording
  // Lists will show that all of them exist; these are compared in full.
  const comparedIds = acknowledged.filter((_id, index) => index % 4 === 0)
  const tracesBefore = await readTraces(comparedIds)
  service.kill('SIGKILL')
  await once(service, 'exit')

  const done = await makeShell('http://127.0.0.1:9', 'unused').json<{ files: number }>(
    ...['restore', file, '--data-dir', restored],
  )
  assert.equal(done.files, outcome.files)
  const again = await spawnService(restored, port)
  assert.deepEqual(await listAll(plumbline, fileKey), madeBefore)
  assert.deepEqual(await readTraces(comparedIds), tracesBefore)
  // In lists too, each once: records in the spool were moved.
  await eventually(async () => {
    const { rows } = await plumbline.metrics.query({ measures: 'traces' })
    const listed = new Set<string>()
    let cursor: string | undefined
    let count = 0
    do {
      const page = await plumbline.traces.list({ limit: 1000, ...(cursor === undefined ? {} : { cursor }) })
      for (const { id } of page.traces) listed.add(id)
      count += page.traces.length
      cursor = page.nextCursor
    } while (cursor !== undefined)
    assert.ok(acknowledged.every((id) => listed.has(id)))
    assert.equal(listed.size, count)
    assert.equal(rows[0]?.traces, count)
  })
  await plumbline.monitor.trace({ name: 'recorded on' })
  again.kill('SIGTERM')
  await once(again, 'exit')
})

it('restore rejects truncated, damaged and other files, and leaves nothing behind', async () => {
  const whole = readFileSync(file)
  const target = join(folder, 'refused')
  const refuse = async (bytes: Buffer, reason: RegExp): Promise<void> => {
    const bad = join(folder, 'bad.tar')
    writeFileSync(bad, bytes)
    const { status, stderr } = await shell('restore', bad, '--data-dir', target)
    assert.equal(status, 1)
    assert.match(stderr, reason)
    assert.deepEqual(readdirSync(target), [])
  }
  await refuse(whole.subarray(0, whole.length - 2_000), /incomplete: its end is missing/)
  await refuse(whole.subarray(0, whole.length >> 1), /incomplete: its end is missing/)
  const flipped = Buffer.from(whole)
  const offset = whole.indexOf('SQLite format 3')
  flipped.writeUInt8(flipped.readUInt8(offset + 200) ^ 1, offset + 200)
  await refuse(flipped, /damaged: control\.db does not match its checksum/)
  await refuse(Buffer.from('x'.repeat(2_000)), /This is not a backup/)
  const missing = await shell('restore', join(folder, 'nobody.tar'), '--data-dir', target)
  assert.match(missing.stderr, /There is no file/)
})

it('restore rejects a folder that is not empty', async () => {
  const full = join(folder, 'full')
  mkdirSync(full)
  writeFileSync(join(full, 'mine.txt'), 'Mine.')
  const { status, stderr } = await shell('restore', file, '--data-dir', full)
  assert.equal(status, 1)
  assert.match(stderr, /is not empty/)
  assert.deepEqual(readdirSync(full), ['mine.txt'])
})

it('backup reports why it failed, and leaves no file with that name', async () => {
  const target = join(folder, 'none.tar')
  const { status, stderr } = await shell('backup', target)
  assert.equal(status, 1)
  assert.match(stderr, /cannot be reached/)
  assert.equal(existsSync(target), false)
})
