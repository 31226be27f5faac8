// One control plane is enough: this is about the names of metrics.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { operations } from '@plumbline/contract'
import { eventually } from '../../../fixtures/eventually.ts'
import { recordTrace, startTestApp } from '../../testing/test-app.ts'

const { app, newWorkspace, send } = await startTestApp()

const metrics = async (): Promise<string> => (await send({ method: 'GET', url: '/metrics' })).text

/** The value of a series, or 0 if there is none yet. */
const readSeries = (text: string, series: string): number =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.slice(series.length + 1) ?? 0,
  )

it('metrics are counters and gauges by Prometheus naming rules', async () => {
  const parts = ['build_info', 'disk_free_bytes', 'disk_size_bytes', 'spool_quota_bytes', 'part_up']
  // A scrape leaves out parts that do not respond within a second.
  const text = await eventually(async () => {
    const all = await metrics()
    for (const name of parts) assert.match(all, new RegExp(`^plumbline_${name}(?:\\{.*\\})? \\d`, 'm'), name)
    return all
  })
  const types = [...text.matchAll(/^# TYPE (plumbline_\w+) (\w+)$/gm)].map(([, name = '', type]) => ({
    name,
    type,
  }))
  assert.ok(types.length > 20)
  for (const { name, type } of types) {
    assert.equal(name.endsWith('_total'), type === 'counter', `${name} is a ${type}`)
    assert.doesNotMatch(
      name,
      /_(?:ms|milliseconds|kb|mb|count|sum|bucket)(?:_total)?$/,
      `${name}: base units only`,
    )
  }
})

it('metrics count acknowledged, rejected (by reason) and repeated records (operator review)', async () => {
  const workspace = await newWorkspace()
  const before = await metrics()
  await recordTrace(workspace, { name: 'counted', input: 'x'.repeat(10_000) })
  await workspace.refused(operations.monitor.trace, { name: 5 }, 400)
  const options = { headers: { 'idempotency-key': `k-${workspace.id}` } }
  await workspace.ok(operations.monitor.trace, { name: 'twice' }, options)
  await workspace.ok(operations.monitor.trace, { name: 'twice' }, options)
  await app.flush()
  const after = await eventually(async () => {
    const text = await metrics()
    for (const name of ['parts', 'bytes'])
      assert.ok(readSeries(text, `plumbline_trace_store_${name}`) > 0, name)
    return text
  })
  const difference = (series: string): number => readSeries(after, series) - readSeries(before, series)
  assert.equal(difference('plumbline_records_total'), 2)
  assert.ok(difference('plumbline_record_bytes_total') > 10_000)
  assert.equal(difference('plumbline_records_rejected_total{reason="invalid_request"}'), 1)
  assert.equal(difference('plumbline_records_deduplicated_total'), 1)
  assert.ok(difference('plumbline_trace_store_inserts_total') >= 1)
  // Judges of earlier tests may still be recording traces.
  assert.ok(difference('plumbline_trace_store_rows_total') >= 2)
  assert.equal(difference('plumbline_records_lost_total'), 0)
  assert.equal(difference('plumbline_records_set_aside_total'), 0)
})
