import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { fillWorkspace } from '../../../testing/filled-workspace.ts'
import { recordTrace, startTestApp } from '../../../testing/test-app.ts'

const all = operations.exchange.export
const testApp = await startTestApp()
const { newWorkspace } = testApp

describe('exchange.export', () => {
  it('200: has a line for each item, and the last line has their number and checksum', async () => {
    const workspace = await newWorkspace()
    await fillWorkspace(workspace, testApp)
    const { status, headers, text } = await workspace.call(all)
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'application/x-ndjson')
    const lines = text.split('\n').slice(0, -1)
    const parsed = lines.map((line) => JSON.parse(line) as { type: string; table?: string })
    assert.deepEqual(parsed.at(-1), {
      type: 'end',
      lines: lines.length - 1,
      sha256: createHash('sha256')
        .update(
          lines
            .slice(0, -1)
            .map((line) => `${line}\n`)
            .join(''),
        )
        .digest('hex'),
    })
    const counts = Object.entries(Object.groupBy(parsed, ({ type, table }) => table ?? type))
    assert.deepEqual(Object.fromEntries(counts.map(([what, those]) => [what, those?.length])), {
      bundle: 1,
      features: 1,
      prompts: 2,
      prompt_versions: 2,
      prompt_tags: 3,
      prompt_tag_moves: 5,
      datasets: 1,
      dataset_rows: 2,
      dataset_row_history: 1,
      dataset_versions: 1,
      evaluators: 1,
      evaluator_versions: 1,
      experiments: 1,
      price_overrides: 1,
      alerts: 1,
      files: 1,
      file: 1,
      trace: 2,
      end: 1,
    })
    assert.ok(!text.includes(workspace.id) && !text.includes('workspace_id'))
  })

  it('200: includes everything acknowledged before it, at once', async () => {
    const workspace = await newWorkspace()
    const { id } = await recordTrace(workspace, { input: 'just now' })
    assert.ok((await workspace.call(all)).text.includes(id))
  })

  it('200: includes nothing of another workspace', async () => {
    await recordTrace(await newWorkspace(), { input: 'not yours' })
    const { text } = await (await newWorkspace()).call(all)
    assert.equal(text.split('\n').length, 3)
  })
})
