import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { eventually } from '../../fixtures/eventually.ts'
import { makeFeature } from '../../server/testing/test-app.ts'
import { createClient } from './index.ts'
import { startService } from './testing.ts'

const { url, workspace } = await startService()
await makeFeature(workspace, { slug: 'support', name: 'Support' })
const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
after(() => rmSync(folder, { recursive: true, force: true }))

it('records tests of node:test as an experiment: a trace for each, with the score `passed`', async () => {
  const file = join(folder, 'answers.test.mjs')
  writeFileSync(
    file,
    `import assert from 'node:assert/strict'
    import { after, test as declare } from 'node:test'
    import { createClient } from '${new URL('./index.ts', import.meta.url).href}'
    import { experimentTest } from '${new URL('./tests.ts', import.meta.url).href}'
    const plumbline = createClient({ baseUrl: '${url}', apiKey: '${workspace.key.secret}' })
    const test = experimentTest({ plumbline, test: declare, after, name: 'Shorter answers', featureSlug: 'support' })
    test('answers where', (trace) => {
      trace.update({ input: 'Where?', output: 'In Lyon.' })
    })
    test('answers when', async () => assert.equal('Today.', 'Tomorrow.'))`,
  )
  const { stdout } = await new Promise<{ stdout: string }>((resolve) =>
    execFile(process.execPath, ['--test', '--test-reporter=tap', file], { env: {} }, (_error, stdout) =>
      resolve({ stdout }),
    ),
  )
  assert.match(stdout, /# pass 1\n# fail 1/)
  const plumbline = createClient({ baseUrl: url, apiKey: workspace.key.secret })
  const { experiments } = await plumbline.experiments.list({})
  assert.deepEqual(
    experiments.map(({ name }) => name),
    ['Shorter answers'],
  )
  await eventually(async () => {
    const { traces } = await plumbline.traces.list({ experimentId: experiments[0]!.id })
    assert.deepEqual(traces.map(({ name }) => name).sort(), ['answers when', 'answers where'])
    const { scores } = await plumbline.scores.list({ name: 'passed' })
    assert.deepEqual(scores.map(({ value }) => value).sort(), [false, true])
  })
})
