import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { isInShare } from '@plumbline/contract/rollout-draw'
import { idOf, jsonExport, jsonSpan, postJson } from '../../../testing/otlp-export.ts'
import {
  knownModel,
  makeLivePrompt,
  makeVersion,
  recordLog,
  recordTrace,
  startTestApp,
} from '../../../testing/test-app.ts'

const testApp = await startTestApp()
const { app, newWorkspace } = testApp

async function withRollout(candidate: object = {}) {
  const workspace = await newWorkspace()
  await makeLivePrompt(workspace, { text: 'one', model: knownModel })
  await makeVersion(workspace, { text: 'two', model: knownModel, ...candidate })
  const newRollout = { promptSlug: 'greeting', candidateVersion: '1.0.1', share: 0.5 }
  const { rollout } = await workspace.ok(operations.rollouts.create, newRollout)
  const users = Array.from({ length: 50 }, (_, index) => `user ${index}`)
  const candidateUser = users.find((user) => isInShare(rollout, user))!
  const others = users.find((user) => !isInShare(rollout, user))!
  const record = async (user: string | undefined, prompt: object = {}) => {
    const log = { id: 'g', type: 'generation', prompt: { slug: 'greeting', ...prompt } }
    const who = user === undefined ? {} : { user: { id: user, name: user } }
    const { trace, warning } = await recordTrace(workspace, { ...who, logs: [log] })
    // The type of the stored log proves that it is a generation.
    const { promptVersion, model, input } = trace.logs[0] as unknown as Record<string, unknown>
    return { promptVersion, model, input, warning }
  }
  return { workspace, rollout, candidateUser, others, record }
}

describe('a log that names a tag while a rollout of it runs', () => {
  it('claims no version for a user who may have been served either, and warns', async () => {
    const { candidateUser, record, workspace } = await withRollout()
    for (const prompt of [{}, { tag: 'production' }]) {
      const { promptVersion, model, input, warning } = await record(candidateUser, prompt)
      assert.deepEqual([promptVersion ?? null, model, input ?? null], [null, 'gpt-4o', null])
      assert.match(warning!, /is being rolled out, and this user may have been served either version/)
    }
    const body = { slug: 'greeting', output: 'x', user: { id: candidateUser, name: 'D' } }
    const { answer } = await recordLog(workspace, body)
    assert.match(answer.warning!, /is being rolled out/)
  })

  it('keeps no model if the two versions have different ones', async () => {
    const { candidateUser, record } = await withRollout({
      model: { ...knownModel, model: 'gpt-4o-mini' },
    })
    assert.equal((await record(candidateUser)).model ?? null, null)
  })

  it('is resolved if it names a version, has no user, or has a user outside the rollout', async () => {
    const { candidateUser, others, record } = await withRollout()
    assert.deepEqual((await record(candidateUser, { version: '1.0.1' })).promptVersion, '1.0.1')
    assert.deepEqual((await record(candidateUser, { version: '1.0.0' })).promptVersion, '1.0.0')
    for (const user of [others, undefined]) {
      const { promptVersion, warning } = await record(user)
      assert.deepEqual([promptVersion, warning], ['1.0.0', undefined])
    }
  })

  it('has the version of the tag again after the rollout', async () => {
    const { workspace, candidateUser, rollout, record } = await withRollout()
    await workspace.ok(operations.rollouts.promote, { id: rollout.id })
    assert.equal((await record(candidateUser)).promptVersion, '1.0.1')
  })

  it('is resolved in the same way over OpenTelemetry: open for a user in the rollout, else the version of the tag', async () => {
    const { workspace, candidateUser, others } = await withRollout()
    const sendSpan = (user: string, number: number) => {
      const attributes = Object.entries({
        'gen_ai.operation.name': 'chat',
        'basalt.prompt.slug': 'greeting',
        'user.id': user,
      }).map(([key, value]) => ({ key, value: { stringValue: value } }))
      return postJson(
        testApp,
        workspace,
        jsonExport([jsonSpan({ traceId: idOf(number, 16), spanId: idOf(number, 8), attributes })]),
      )
    }
    const open = await sendSpan(candidateUser, 1)
    assert.match(open.text, /is being rolled out/)
    const settled = await sendSpan(others, 2)
    assert.doesNotMatch(settled.text, /is being rolled out/)
    await app.flush()
    const { versions } = await workspace.ok(operations.prompts.usage, {
      slug: 'greeting',
      from: '2025-01-01T00:00:00Z',
    })
    assert.deepEqual(
      versions.map(({ version, traces }) => [version, traces.count]),
      [
        ['1.0.1', 0],
        ['1.0.0', 1],
      ],
    )
  })
})
