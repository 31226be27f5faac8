/** OpenTelemetry traces while PostgreSQL is away, which knows what their stored rows lack. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { eventually } from '../../../../../fixtures/eventually.ts'
import { startPostgres } from '../../../../../scripts/test/postgres-for-tests.ts'
import { idOf, jsonExport, jsonSpan, postJson } from '../../../../testing/otlp-export.ts'
import { startTestApp } from '../../../../testing/test-app.ts'

const database = await startPostgres({ isDurable: true })
const testApp = await startTestApp({ settings: { DATABASE_URL: database.url } })
after(async () => {
  await testApp.close()
  await database.stop()
})

const [storedNumber, growingNumber, lateNumber] = [1, 2, 3]

describe('while PostgreSQL is away', async () => {
  const workspace = await testApp.newWorkspace()
  const send = async (trace: number, span: number): Promise<void> => {
    const parent = span === 1 ? {} : { parentSpanId: idOf(1, 8) }
    const spans = [
      jsonSpan({ traceId: idOf(trace, 16), spanId: idOf(span, 8), name: `span ${span}`, ...parent }),
    ]
    assert.equal((await postJson(testApp, workspace, jsonExport(spans))).text, '{}')
  }
  const read = async (id: string) => {
    const { trace } = await workspace.ok(operations.traces.get, { id })
    return { id: trace.id, logs: trace.logs.map(({ name }) => name).toSorted() }
  }
  await send(storedNumber, 1)
  await send(growingNumber, 1)
  await testApp.app.flush()
  const [storedTrace, grownTrace] = [await read(idOf(storedNumber, 16)), await read(idOf(growingNumber, 16))]
  await database.kill()
  await send(growingNumber, 2)
  await send(lateNumber, 2)
  await send(lateNumber, 1)

  it('a stored trace is read by either id', async () => {
    for (const id of [idOf(storedNumber, 16), storedTrace.id]) assert.deepEqual(await read(id), storedTrace)
  })

  it('a stored trace is read with spans that arrived since, under the same id as before', async () => {
    for (const id of [idOf(growingNumber, 16), grownTrace.id]) {
      const trace = await read(id)
      assert.equal(trace.id, grownTrace.id)
      assert.equal(trace.logs.length, grownTrace.logs.length + 1)
    }
  })

  it('a new trace is read by either id, and keeps its id afterwards', async () => {
    const trace = await read(idOf(lateNumber, 16))
    assert.deepEqual(await read(trace.id), trace)
    await database.restart()
    await testApp.app.flush()
    await eventually(async () => assert.deepEqual(await read(idOf(lateNumber, 16)), trace))
    assert.equal((await read(idOf(growingNumber, 16))).id, grownTrace.id)
  })
})

describe('an unknown trace', () => {
  it('is 503 while only PostgreSQL could find it, and 404 afterwards', async () => {
    const workspace = await testApp.newWorkspace()
    const ids = [idOf(9, 16), '01999999-9999-7999-8999-999999999999']
    for (const id of ids) await workspace.refused(operations.traces.get, { id }, 404)
    await database.kill()
    for (const id of ids) await workspace.refused(operations.traces.get, { id }, 503)
    await database.restart()
    await eventually(async () => void (await workspace.refused(operations.traces.get, { id: ids[0] }, 404)))
  })
})
