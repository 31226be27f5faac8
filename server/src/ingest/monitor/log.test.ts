import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import {
  knownModel,
  makeFeature,
  makeLivePrompt,
  makePrompt,
  recordLog,
  startTestApp,
} from '../../../testing/test-app.ts'

const { monitor, traces } = operations
const { app, newWorkspace } = await startTestApp()

describe('monitor.log', () => {
  describe('200', () => {
    it('stores no fields that only a trace has, whatever their types', async () => {
      const workspace = await newWorkspace()
      const { trace, log } = await recordLog(workspace, {
        slug: 'greeting',
        output: 'Hello',
        ...({
          chainSlug: 5,
          logs: 'x',
          experiment: { id: 'nope' },
          evaluators: 7,
          evaluationConfig: { sampleRate: 9 },
          type: 'tool',
          parentId: 4,
        } as object),
      })
      assert.deepEqual([log.type, log.output, log.parentId], ['generation', 'Hello', null])
      assert.deepEqual([trace.experiment ?? null, trace.evaluators ?? null], [null, null])
    })

    it('warns if the end is before the start, which may be the time of arrival', async () => {
      const workspace = await newWorkspace()
      await makeLivePrompt(workspace)
      const endTime = '2026-03-01T09:00:00Z'
      const warningOf = async (startTime?: string) => {
        const { answer, log } = await recordLog(workspace, {
          slug: 'greeting',
          output: 'x',
          startTime,
          endTime,
        })
        assert.equal(log.endTime, '2026-03-01T09:00:00.000000Z')
        return answer.warning
      }
      assert.equal(
        await warningOf('2026-03-01T10:00:00Z'),
        'endTime is before startTime; both are stored as sent.',
      )
      assert.match((await warningOf()) ?? '', /^endTime is before the arrival of the trace/)
    })

    it('records one trace with one generation, and returns its id', async () => {
      const workspace = await newWorkspace()
      await makeLivePrompt(workspace)
      const { answer, trace, log } = await recordLog(workspace, {
        slug: 'greeting',
        input: 'Hi',
        output: 'Hello',
      })
      assert.equal(answer.warning, undefined)
      assert.equal(trace.logs.length, 1)
      assert.equal(log.id, answer.log.id)
      assert.match(log.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
      assert.deepEqual([log.type, log.input, log.output, log.parentId], ['generation', 'Hi', 'Hello', null])
      assert.deepEqual(log.prompt, { slug: 'greeting', version: '1.0.0' })
      assert.equal(log.promptVersion, '1.0.0')
    })

    it('keeps every field that was sent: run fields on the generation, user fields on the trace', async () => {
      const workspace = await newWorkspace()
      await makeLivePrompt(workspace)
      const ofLog = {
        input: { question: 'q' },
        output: ['a', 1, null],
        idealOutput: 'ideal',
        variables: [{ label: 'name', value: 'Ada' }],
        inputTokens: 5,
        outputTokens: 6.5,
        cost: 0.007,
        startTime: '2025-02-03T04:05:06.007000Z',
        endTime: '2025-02-03T04:05:07.008000Z',
      }
      const ofTrace = {
        name: 'My run',
        organization: { id: 'o-1', name: 'Acme' },
        user: { id: 'u-1', name: 'Ada' },
        metadata: { key: 'value', deep: { n: 1 } },
      }
      const { answer, trace, log } = await recordLog(workspace, { slug: 'greeting', ...ofLog, ...ofTrace })
      await app.flush()
      const drained = await workspace.ok(traces.get, { id: answer.trace.id })
      assert.deepEqual(drained.trace, trace)
      for (const [field, value] of Object.entries(ofLog))
        assert.deepEqual(log[field as keyof typeof log], value, field)
      for (const [field, value] of Object.entries(ofTrace))
        assert.deepEqual(trace[field as keyof typeof trace], value, field)
      assert.equal(log.metadata, null)
    })

    it('accepts any JSON value as output, including null', async () => {
      const workspace = await newWorkspace()
      for (const output of [null, 0, 1.5, false, '', 'x', [], {}, [null]]) {
        const { log } = await recordLog(workspace, { slug: 'nobody', output })
        assert.deepEqual(log.output, output)
      }
    })

    it('accepts null for every optional field', async () => {
      const fields = ['name', 'version', 'tag', 'input', 'idealOutput', 'variables', 'startTime', 'endTime']
      const others = ['inputTokens', 'outputTokens', 'cost', 'organization', 'user', 'metadata']
      const body = Object.fromEntries([...fields, ...others].map((field) => [field, null]))
      const { trace } = await recordLog(await newWorkspace(), { slug: 'nobody', output: 'x', ...body })
      assert.deepEqual([trace.name, trace.user, trace.organization], ['nobody', null, null])
    })

    it('names the trace by name, else by the slug of the prompt, whose feature it belongs to', async () => {
      const workspace = await newWorkspace()
      await makeFeature(workspace)
      await makeLivePrompt(workspace, {}, { featureSlug: 'chat' })
      const { trace } = await recordLog(workspace, { slug: 'greeting', output: 'x' })
      assert.deepEqual([trace.name, trace.featureSlug], ['greeting', 'chat'])
      assert.equal(
        (await recordLog(workspace, { slug: 'greeting', output: 'x', name: 'Mine' })).trace.name,
        'Mine',
      )
    })

    it('renders the template of the requested version, and counts and prices the result', async () => {
      const workspace = await newWorkspace()
      await makeLivePrompt(workspace, {
        text: 'Hello {{ name }}, <b>&</b>.',
        systemText: 'Be kind.',
        model: knownModel,
      })
      const variables = [{ label: 'name', value: 'Ada & "Bo"' }]
      const { log } = await recordLog(workspace, {
        slug: 'greeting',
        version: '1.0.0',
        variables,
        output: 'x',
      })
      assert.deepEqual(log.input, [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Hello Ada & "Bo", <b>&</b>.' },
      ])
      assert.deepEqual([log.model, log.provider], ['gpt-4o', 'open-ai'])
      assert.ok((log.inputTokens ?? 0) > 5 && (log.cost ?? 0) > 0 && log.tokensEstimated)
    })

    it('warns of an unknown version and uses production, and warns of an unknown prompt', async () => {
      const workspace = await newWorkspace()
      await makeLivePrompt(workspace)
      const { answer, log } = await recordLog(workspace, { slug: 'greeting', version: '9.9.9', output: 'x' })
      assert.match(answer.warning ?? '', /no version "9\.9\.9"/)
      assert.equal(log.promptVersion, '1.0.0')
      await makePrompt(workspace, { slug: 'empty' })
      for (const slug of ['nobody', 'empty']) {
        const unresolved = await recordLog(workspace, { slug, output: 'kept' })
        assert.ok(unresolved.answer.warning?.includes(slug))
        assert.deepEqual([unresolved.log.output, unresolved.log.promptVersion], ['kept', null])
      }
    })
  })

  describe('400', () => {
    it('names the path of the wrong or missing field', async () => {
      const workspace = await newWorkspace()
      const refusals: [path: string, sent: object][] = [
        ['slug', { output: 'x' }],
        ['slug', { slug: 5 }],
        ['output', { output: undefined }],
        ['name', { name: [] }],
        ['version', { version: 1 }],
        ['tag', { tag: {} }],
        ['input', { input: 5 }],
        ['idealOutput', { idealOutput: true }],
        ['variables[0].label', { variables: [{ value: 'x' }] }],
        ['inputTokens', { inputTokens: '7' }],
        ['outputTokens', { outputTokens: [] }],
        ['cost', { cost: 'x' }],
        ['user.name', { user: { id: 'u' } }],
        ['organization.id', { organization: { name: 'o' } }],
        ['metadata', { metadata: 'x' }],
      ]
      for (const [path, fields] of refusals) {
        const slug = 'output' in fields && fields.output === 'x' ? {} : { slug: 'greeting', output: 'y' }
        const error = await workspace.refused(monitor.log, { ...slug, ...fields }, 400)
        assert.ok(error.startsWith(`${path}: `), `${JSON.stringify(fields)}: ${error}`)
      }
    })
  })
})
