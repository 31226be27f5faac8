import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { parquetReadObjects } from 'hyparquet'
import { recordTrace, startTestApp } from '../../../testing/test-app.ts'

const { traces, scores } = operations
const { newWorkspace } = await startTestApp()

const two = async () => {
  const workspace = await newWorkspace()
  const body = {
    startTime: '2027-01-01T00:00:00.000001Z',
    input: '=1+1',
    output: { a: ',"\n' },
    name: 'first',
  }
  const first = await recordTrace(workspace, { ...body, logs: [{ id: 'a', type: 'span' }] })
  await workspace.ok(scores.create, { traceId: first.id, name: 'exact', value: 1 })
  const second = await recordTrace(workspace, {
    startTime: '2027-01-02T00:00:00Z',
    input: '',
    name: 'second',
  })
  return { workspace, ids: [second.id, first.id] as const }
}

describe('traces.export', () => {
  it('200: as JSONL returns each trace in the form of `traces.get`, newest start first', async () => {
    const { workspace, ids } = await two()
    const { headers, text } = await workspace.call(traces.export, { format: 'jsonl' })
    assert.equal(headers['content-type'], 'application/x-ndjson')
    assert.match(headers['content-disposition'] ?? '', /^attachment; .*traces-.*\.jsonl$/)
    const whole = await Promise.all(ids.map(async (id) => (await workspace.ok(traces.get, { id })).trace))
    assert.deepEqual(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
      whole,
    )
  })

  it('200: accepts the filters of the list', async () => {
    const { workspace, ids } = await two()
    for (const filters of [{ name: 'first' }, { to: '2027-01-02T00:00:00Z' }, { q: '1' }]) {
      const { text } = await workspace.call(traces.export, { format: 'jsonl', ...filters })
      assert.deepEqual(
        text
          .trimEnd()
          .split('\n')
          .map((line) => (JSON.parse(line) as { id: string }).id),
        [ids[1]],
      )
    }
    assert.equal((await workspace.call(traces.export, { format: 'jsonl', name: 'none' })).text, '')
  })

  it('200: as CSV has a row for each trace, in which no text can act as a formula', async () => {
    const { workspace, ids } = await two()
    const { headers, text } = await workspace.call(traces.export, { format: 'csv' })
    assert.equal(headers['content-type'], 'text/csv; charset=utf-8')
    const [titles, second, first, ...rest] = text.split('\r\n')
    assert.match(titles ?? '', /^id,name,featureSlug,.*,input,output,idealOutput,metadata,scores$/)
    assert.ok(second?.startsWith(`${ids[0]},second,,`) && second.endsWith(',"",,,,'), second)
    assert.match(
      first ?? '',
      new RegExp(`^${ids[1]},first,.*2027-01-01T00:00:00.000001Z.*,'=1\\+1,"{""a"":""`),
    )
    assert.deepEqual(rest, [''])
  })

  it('200: as Parquet has the same table with types', async () => {
    const { workspace, ids } = await two()
    const { headers, bytes } = await workspace.call(traces.export, { format: 'parquet' })
    assert.equal(headers['content-type'], 'application/vnd.apache.parquet')
    const rows = await parquetReadObjects({ file: new Uint8Array(bytes).buffer })
    assert.deepEqual(
      rows.map(({ id, input, logCount, startTime, featureSlug }) => [
        id,
        input,
        logCount,
        startTime,
        featureSlug,
      ]),
      [
        [ids[0], '', 0, new Date('2027-01-02T00:00:00Z'), null],
        [ids[1], '=1+1', 1, new Date('2027-01-01T00:00:00Z'), null],
      ],
    )
    assert.match(String(rows[1]?.scores), /"name":"exact","value":1/)
    const none = await workspace.call(traces.export, { format: 'parquet', name: 'none' })
    assert.deepEqual(await parquetReadObjects({ file: new Uint8Array(none.bytes).buffer }), [])
  })

  it('400: names the wrong parameter', async () => {
    const workspace = await newWorkspace()
    assert.equal(await workspace.refused(traces.export, {}, 400), 'format: is required')
    const error = await workspace.refused(traces.export, { format: 'xlsx' }, 400)
    assert.equal(error, 'format: must be one of jsonl, csv, parquet')
    assert.match(await workspace.refused(traces.export, { format: 'csv', from: 'x' }, 400), /^from: /)
  })
})
