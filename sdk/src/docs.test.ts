// A process of its own: it responds in place of OpenAI, and the examples set the exit code.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { operations } from '@plumbline/contract'
import { eventually } from '../../fixtures/eventually.ts'
import { fencesOfFile } from '../../scripts/docs/fences.ts'
import { makeDataset, makeFeature, makeLivePrompt } from '../../server/testing/test-app.ts'
import type { Plumbline } from './index.ts'
import { startService } from './testing.ts'

const examples = fencesOfFile('docs/sdk.md')

const { url, workspace } = await startService()
await makeFeature(workspace, { slug: 'support', name: 'Support' })
await makeLivePrompt(workspace, { text: 'Greet {{ name }}.' })
await makeDataset(workspace)
await workspace.ok(operations.datasets.add, { slug: 'cases', values: { question: 'Why?' } })

/** The model in the OpenAI example. */
const platformFetch = globalThis.fetch
globalThis.fetch = (input, init) => {
  if (!String(input).startsWith('https://api.openai.com/')) return platformFetch(input, init)
  const message = { role: 'assistant', content: 'Hello.' }
  return Promise.resolve(Response.json({ model: 'gpt-4o', choices: [{ index: 0, message }] }))
}

it('every example in docs/sdk.md runs as written, and records what it claims', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  for (const [index, example] of examples.entries()) {
    const code = example.code
      .replaceAll('http://localhost:4747', url)
      .replaceAll('pl_…', workspace.key.secret)
      .replaceAll('sk-…', 'none')
      .replaceAll(/'(@plumbline\/[^']+|openai)'/g, (_match, name: string) => `'${import.meta.resolve(name)}'`)
    const file = join(folder, index === 0 ? 'plumbline.ts' : `example-${index}.${example.language}`)
    writeFileSync(file, code)
    if (code.includes('node:test')) await promisify(execFile)(process.execPath, ['--test', file], { env: {} })
    else await import(pathToFileURL(file).href)
  }
  const { plumbline } = (await import(pathToFileURL(join(folder, 'plumbline.ts')).href)) as {
    plumbline: Plumbline
  }
  await plumbline.close()
  assert.equal(plumbline.dropped, 0)
  assert.equal(process.exitCode ?? 0, 0)
  await eventually(async () => {
    const { traces } = await workspace.ok(operations.traces.list, {})
    assert.deepEqual(traces.map(({ name }) => name).sort(), [
      'Front and back',
      'Greeting',
      'Observed chat',
      'Shorter answers',
      'Support chat',
      'Support chat',
      'Support chat',
      'answers where',
      'openai.chat gpt-4o',
    ])
    const { scores } = await workspace.ok(operations.scores.list, { name: 'thumb' })
    assert.deepEqual(
      scores.map(({ value, userId }) => [value, userId]),
      [[true, 'u1']],
    )
  })
})
