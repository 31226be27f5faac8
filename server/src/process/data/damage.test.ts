// A process of its own: it damages the trace store.
// One control plane is enough: this is about the trace store, and PostgreSQL verifies its own data.
/** Operator review, finding 8: damage on disk is reported, and everything else keeps working. */
import assert from 'node:assert/strict'
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { eventually } from '../../../../fixtures/eventually.ts'
import { startTestApp } from '../../../testing/test-app.ts'
import type { VerifyReport } from '../../operate/verify/verify.ts'

const presetKey = 'pl_key_of_the_first_workspace'
const { app, send, dataFolder, traceFolder, newWorkspace } = await startTestApp({
  settings: { PLUMBLINE_API_KEY: presetKey },
})

const flip = (path: string): void => {
  const bytes = readFileSync(path)
  const start = bytes.length >> 1
  for (let index = start; index < Math.min(start + 512, bytes.length); index++) bytes[index]! ^= 0xff
  writeFileSync(path, bytes)
}

/** The parts of the traces table, the only table with this column. */
const partsOfTraces = (): string[] =>
  globSync(join(traceFolder, 'store/*/*/*/columns.txt'))
    .filter((path) => !path.includes('detached') && readFileSync(path, 'utf8').includes('`otel_trace_id`'))
    .map(dirname)

const verify = async (query = '', key: string | undefined = presetKey) => {
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const { status, text } = await send({ method: 'POST', url: `/verify${query}`, headers })
  return { status, report: JSON.parse(text) as VerifyReport & { error?: string } }
}

describe('POST /verify', () => {
  it('requires a key of the first workspace with the scope operate', async () => {
    const workspace = await newWorkspace()
    assert.equal((await verify('', undefined)).status, 200)
    assert.equal((await send({ method: 'POST', url: '/verify' })).status, 401)
    const other = await verify('', workspace.key.secret)
    assert.equal(other.status, 403)
    assert.match(
      other.report.error ?? '',
      /^A check reads every workspace: it needs a key of the first workspace/,
    )
    assert.equal((await verify('?repair=perhaps')).status, 400)
  })

  it('finds nothing if nothing is damaged, and reports what it read', async () => {
    const workspace = await newWorkspace()
    await workspace.ok(operations.monitor.trace, { name: 'kept' })
    await app.flush()
    const { status, report } = await verify()
    assert.equal(status, 200)
    assert.deepEqual([report.isIntact, report.findings], [true, []])
    assert.ok(report.checked.traceStoreParts >= 2)
  })

  it('finds a file whose bytes have changed, and one that is missing', async () => {
    const workspace = await newWorkspace()
    const upload = async () => {
      const { uploadUrl, fileKey } = await workspace.ok(operations.files.sign, {
        ...{ fileName: 'a.txt', contentType: 'text/plain' },
      })
      const url = new URL(uploadUrl, 'http://localhost')
      const headers = { 'content-type': 'text/plain' }
      const put = await send({
        method: 'PUT',
        url: url.pathname + url.search,
        headers,
        payload: 'x'.repeat(2000),
      })
      assert.equal(put.status, 200)
      return fileKey
    }
    const [damaged, missing, intact] = [await upload(), await upload(), await upload()]
    flip(join(dataFolder, 'files', workspace.id, damaged))
    rmSync(join(dataFolder, 'files', workspace.id, missing))
    const { report } = await verify()
    const findings = new Map(report.findings.map(({ where, problem }) => [where, problem]))
    const nameOf = (key: string) => `${key} of workspace ${workspace.id}`
    assert.equal(findings.get(nameOf(damaged)), 'Its bytes differ from those that were uploaded.')
    assert.equal(findings.get(nameOf(missing)), 'Its bytes are missing.')
    assert.equal(findings.get(nameOf(intact)), undefined)
    assert.equal(report.checked.files.compared, 3)
  })
})

it('lists, facets and searches work without a damaged part, with a warning, a metric and a finding', async () => {
  const workspace = await newWorkspace()
  const record = async (name: string) => {
    for (let count = 0; count < 3; count++)
      await workspace.ok(operations.monitor.trace, { name, input: `hello ${name}`, user: { id: name, name } })
    await app.flush()
  }
  await record('first')
  const before = new Set(partsOfTraces())
  await record('second')
  const intact = (await workspace.ok(operations.traces.list, {})) as { warning?: string; traces: object[] }
  assert.deepEqual([intact.traces.length, intact.warning], [6, undefined])
  const damaged = partsOfTraces().filter((path) => before.has(path))
  assert.ok(damaged.length > 0)
  for (const path of damaged) flip(join(path, 'data.bin'))

  const responses = [
    await workspace.ok(operations.traces.list, {}),
    await workspace.ok(operations.traces.list, { q: 'hello' }),
    await workspace.ok(operations.traces.facets, { fields: 'name' }),
  ]
  for (const response of responses as { warning?: string }[])
    assert.match(
      response.warning ?? '',
      /^Rows may be missing, since damaged parts of the trace store were set aside: \S+ of traces \(\d+ rows\)/,
    )
  const names = (responses[0] as { traces: { name: string }[] }).traces.map(({ name }) => name)
  assert.deepEqual(names, ['second', 'second', 'second'])
  await eventually(async () => {
    const { text } = await send({ method: 'GET', url: '/metrics' })
    assert.match(text, /^plumbline_damaged_parts\{table="traces"\} [1-9]/m)
    assert.match(text, /^plumbline_damaged_rows\{table="traces"\} [1-9]/m)
  })
  const { report } = await verify('?repair=true')
  assert.equal(report.isIntact, false)
  assert.ok(report.findings.some(({ store, lost = 0 }) => store === 'trace store' && lost > 0))
})
