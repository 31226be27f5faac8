import assert from 'node:assert/strict'
import { it } from 'node:test'
import { operations } from '@plumbline/contract'
import { eventually } from '../../../../../fixtures/eventually.ts'
import { idOf, jsonExport, jsonSpan, postJson } from '../../../../testing/otlp-export.ts'
import { makeEvaluator, startTestApp } from '../../../../testing/test-app.ts'

const testApp = await startTestApp()
const { newWorkspace } = testApp

const text = (key: string, value: string): object => ({ key, value: { stringValue: value } })
const spanWith = (output: string, fields: object = {}) =>
  jsonSpan({
    traceId: idOf(1, 16),
    spanId: idOf(1, 8),
    attributes: [text('basalt.span.output', output), text('basalt.span.evaluators', '["polite"]')],
    ...fields,
  })

it('an OpenTelemetry trace is judged once its root has ended, and again when its texts change', async () => {
  const workspace = await newWorkspace()
  await makeEvaluator(workspace, { sampleRate: 1 })
  await postJson(testApp, workspace, jsonExport([spanWith('Yes, please.')]))
  const waitForListed = async (count: number) =>
    eventually(async () => {
      const { evaluations } = await workspace.ok(operations.evaluations.list, { status: 'done' })
      assert.equal(evaluations.length, count)
      return evaluations
    })
  const [first] = await waitForListed(1)
  assert.equal(first?.value, true)
  await postJson(testApp, workspace, jsonExport([spanWith('Yes, please.')]))
  await testApp.app.flush()
  await postJson(
    testApp,
    workspace,
    jsonExport([spanWith('No.', { endTimeUnixNano: '1760000002000000000' })]),
  )
  const values = (await waitForListed(2)).map(({ value }) => value)
  assert.deepEqual(values.toSorted(), [false, true])
})
