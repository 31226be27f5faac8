// One control plane is enough: this is about HTTP, not about what is stored.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { operations } from '@plumbline/contract'
import { eventually } from '../../../fixtures/eventually.ts'
import {
  makeEvaluator,
  makeFeature,
  makeLivePrompt,
  recordTrace,
  startTestApp,
} from '../../testing/test-app.ts'

const { app, newWorkspace, send } = await startTestApp()

it('/metrics, which needs no key, reveals nothing about a workspace (L11)', async () => {
  const workspace = await newWorkspace()
  const word = `zebra${Date.now()}`
  await makeFeature(workspace, { slug: word, name: word })
  await makeLivePrompt(workspace, { text: word }, { slug: word, name: word })
  await makeEvaluator(workspace, { slug: word, name: word })
  const { id } = await recordTrace(workspace, {
    name: word,
    input: word,
    user: { id: word, name: word },
    logs: [{ id: word, type: 'generation', input: word, output: word, metadata: { model: word } }],
  })
  await workspace.call(operations.prompts.get, { slug: `${word}-absent` })
  await app.flush()
  // A scrape leaves out parts that do not respond within a second.
  const text = await eventually(async () => {
    const answer = await send({ method: 'GET', url: '/metrics' })
    assert.equal(answer.status, 200)
    assert.match(answer.text, /prompts\.get/, 'operations are counted')
    assert.match(answer.text, /plumbline_jobs\{kind="responses\.expire",state="waiting"\} 1/)
    assert.match(answer.text, /plumbline_jobs\{kind="evaluation\.judge",state="waiting"\} \d/)
    return answer.text
  })
  for (const secret of [word, workspace.id, workspace.key.id, workspace.key.secret, id])
    assert.ok(!text.includes(secret), secret)
})
