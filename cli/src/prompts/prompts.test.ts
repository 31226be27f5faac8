import assert from 'node:assert/strict'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { operations } from '@plumbline/contract'
import { startService } from '../../../sdk/src/testing.ts'
import { knownModel, makeFeature, makeLivePrompt, makePrompt } from '../../../server/testing/test-app.ts'
import { emptyFolder, makeShell } from '../testing.ts'

const { url, workspace } = await startService()
const shell = makeShell(url, workspace.key.secret)
await makeFeature(workspace)
await makeLivePrompt(
  workspace,
  { text: 'Hello {{ name }}.\n', systemText: 'Be kind.', model: knownModel, tags: ['production', 'staging'] },
  { featureSlug: 'chat', description: 'Greets.' },
)
await makePrompt(workspace, { slug: 'draft', name: 'Draft' })

const versionsOf = async (slug: string) => (await workspace.ok(operations.versions.list, { slug })).versions

it('pull writes readable files, and touches nothing if it is repeated', async () => {
  const dir = emptyFolder()
  const first = await shell('prompts', 'pull', '--dir', dir)
  assert.equal(first.status, 0, first.stderr)
  assert.match(first.stderr, /"draft" has no version yet/)
  const file = (name: string) => join(dir, 'greeting', name)
  assert.equal(readFileSync(file('text.jinja'), 'utf8'), 'Hello {{ name }}.\n\n')
  assert.equal(readFileSync(file('system.jinja'), 'utf8'), 'Be kind.\n')
  assert.deepEqual(JSON.parse(readFileSync(file('prompt.json'), 'utf8')), {
    name: 'Greeting',
    description: 'Greets.',
    feature: 'chat',
    tags: ['staging'],
  })
  const touchedAt = statSync(file('text.jinja')).mtimeMs
  assert.match((await shell('prompts', 'pull', '--dir', dir)).stdout, /greeting \S+: unchanged/)
  assert.equal(statSync(file('text.jinja')).mtimeMs, touchedAt)
  assert.deepEqual(await shell('prompts', 'diff', '--dir', dir), { status: 0, stdout: '', stderr: '' })
})

it('push creates a version only if something differs, and leaves production alone', async () => {
  const dir = emptyFolder()
  await shell('prompts', 'pull', 'greeting', '--dir', dir)
  const before = await versionsOf('greeting')
  assert.match((await shell('prompts', 'push', '--dir', dir)).stdout, /no changes/)
  assert.equal((await versionsOf('greeting')).length, before.length)

  writeFileSync(join(dir, 'greeting', 'text.jinja'), 'Good day {{ name }}.\n')
  const differs = await shell('prompts', 'diff', '--dir', dir)
  assert.equal(differs.status, 1)
  assert.match(differs.stdout, /-Hello \{\{ name \}\}\.[\s\S]*\+Good day/)
  assert.match(
    (await shell('prompts', 'push', '--dir', dir, '--dry-run')).stdout,
    /would create .*new version \(text\)/,
  )
  assert.equal((await versionsOf('greeting')).length, before.length)

  const pushed = await shell('prompts', 'push', '--dir', dir, '--message', 'Kinder')
  assert.equal(pushed.status, 0, pushed.stderr)
  const [newest, ...older] = await versionsOf('greeting')
  assert.equal(newest!.text, 'Good day {{ name }}.')
  assert.equal(newest!.message, 'Kinder')
  assert.deepEqual([...newest!.tags].sort(), ['latest', 'staging'])
  assert.deepEqual(newest!.model, older[0]!.model)
  assert.ok(older.some(({ tags }) => tags.includes('production')))
  assert.equal((await shell('prompts', 'diff', 'greeting', '--dir', dir)).status, 0)

  assert.match(
    (await shell('prompts', 'push', '--dir', dir, '--tag', 'production')).stdout,
    /tags production/,
  )
  assert.equal((await versionsOf('greeting')).length, before.length + 1)
  assert.match((await shell('prompts', 'get', 'greeting')).stdout, /Be kind\.\n---\nGood day/)
})

it('a prompt made of messages and its config round-trip through files', async () => {
  const messages = [
    { role: 'system', content: 'Be {{ tone }}.' },
    { placeholder: 'history' },
    { role: 'user', content: '{{ question }}' },
  ]
  const config = { theme: 'dark', deep: { z: 1, a: [2] } }
  await makePrompt(workspace, { slug: 'chat', name: 'Chat' })
  await workspace.ok(operations.versions.create, { slug: 'chat', messages, config })
  const dir = emptyFolder()
  const file = (name: string) => join(dir, 'chat', name)
  await shell('prompts', 'pull', 'chat', '--dir', dir)
  assert.deepEqual(JSON.parse(readFileSync(file('messages.json'), 'utf8')), messages)
  assert.deepEqual(JSON.parse(readFileSync(file('config.json'), 'utf8')), config)
  assert.ok(!existsSync(file('text.jinja')))
  assert.equal((await shell('prompts', 'diff', 'chat', '--dir', dir)).status, 0)
  assert.match((await shell('prompts', 'get', 'chat', '--tag', 'latest')).stdout, /"placeholder": "history"/)

  writeFileSync(file('messages.json'), JSON.stringify(messages.slice(1)))
  const differs = await shell('prompts', 'diff', '--dir', dir, 'chat')
  assert.match(differs.stdout, /messages[\s\S]*-.*Be \{\{ tone/)
  assert.equal((await shell('prompts', 'push', '--dir', dir)).status, 0)
  const [newest] = await versionsOf('chat')
  assert.deepEqual([newest!.messages, newest!.config], [messages.slice(1), config])

  writeFileSync(file('text.jinja'), 'Both?')
  assert.match((await shell('prompts', 'push', '--dir', dir)).stderr, /both messages\.json and texts/)
})

it('messages without a user text round-trip through files', async () => {
  const messages = [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: '' },
  ]
  await makePrompt(workspace, { slug: 'silent', name: 'Silent' })
  await workspace.ok(operations.versions.create, { slug: 'silent', messages })
  const dir = emptyFolder()
  await shell('prompts', 'pull', 'silent', '--dir', dir)
  assert.deepEqual(await shell('prompts', 'diff', 'silent', '--dir', dir), {
    status: 0,
    stdout: '',
    stderr: '',
  })
})

it('the folder of a prompt is included, and a file without it changes nothing', async () => {
  const dir = emptyFolder()
  await makePrompt(workspace, { slug: 'sorted', name: 'Sorted', folder: 'support/refunds' })
  await workspace.ok(operations.versions.create, { slug: 'sorted', text: 'Hi' })
  await shell('prompts', 'pull', 'sorted', '--dir', dir)
  const metadata = join(dir, 'sorted', 'prompt.json')
  renameSync(join(dir, 'sorted'), join(dir, 'sorted-copy'))
  assert.equal((await shell('prompts', 'push', '--dir', dir)).status, 0)
  const { prompt } = await workspace.ok(operations.prompts.describe, { slug: 'sorted-copy' })
  assert.equal(prompt.folder, 'support/refunds')
  mkdirSync(join(dir, 'sorted'))
  writeFileSync(join(dir, 'sorted', 'text.jinja'), 'Hi\n')
  writeFileSync(metadata, '{"name":"Sorted"}')
  assert.equal((await shell('prompts', 'diff', 'sorted', '--dir', dir)).status, 0)
})

it('pull and diff with a tag skip prompts without it, unless they are named', async () => {
  const dir = emptyFolder()
  const pulled = await shell('prompts', 'pull', '--tag', 'staging', '--dir', dir)
  assert.equal(pulled.status, 0, pulled.stderr)
  assert.match(pulled.stdout, /greeting/)
  assert.match(pulled.stderr, /"sorted" has no version with the tag "staging"; skipped/)
  await shell('prompts', 'pull', 'sorted', '--dir', dir)
  const differs = await shell('prompts', 'diff', '--tag', 'staging', '--dir', dir)
  assert.match(differs.stdout, /^sorted: no version with the tag staging$/m)
  assert.equal((await shell('prompts', 'diff', 'sorted', '--tag', 'staging', '--dir', dir)).status, 1)
})

it('a folder that predates these files keeps the messages and the config', async () => {
  const messages = [{ role: 'user', content: 'Hi' }, { placeholder: 'history' }]
  await makePrompt(workspace, { slug: 'older', name: 'Older' })
  await workspace.ok(operations.versions.create, { slug: 'older', messages, config: { theme: 'dark' } })
  const dir = emptyFolder()
  mkdirSync(join(dir, 'older'))
  writeFileSync(join(dir, 'older', 'prompt.json'), '{"name":"Older"}')
  writeFileSync(join(dir, 'older', 'text.jinja'), '\n')
  assert.equal((await shell('prompts', 'diff', 'older', '--dir', dir)).status, 0)
  writeFileSync(join(dir, 'older', 'model.json'), '{"provider":"open-ai","model":"gpt-4o"}')
  assert.equal((await shell('prompts', 'push', '--dir', dir)).status, 0)
  const [newest] = await versionsOf('older')
  assert.deepEqual([newest!.messages, newest!.config], [messages, { theme: 'dark' }])

  // An explicit removal.
  writeFileSync(join(dir, 'older', 'config.json'), '{}')
  writeFileSync(join(dir, 'older', 'text.jinja'), 'Hi\n')
  assert.equal((await shell('prompts', 'push', '--dir', dir)).status, 0)
  const [last] = await versionsOf('older')
  assert.deepEqual([last!.text, last!.messages, last!.config ?? {}], ['Hi', undefined, {}])
})

it('a new folder becomes a prompt, and its short model causes no difference', async () => {
  const source = emptyFolder()
  await shell('prompts', 'pull', 'greeting', '--dir', source)
  mkdirSync(join(source, 'fresh'))
  writeFileSync(join(source, 'fresh', 'text.jinja'), 'Ask.')
  writeFileSync(join(source, 'fresh', 'model.json'), '{"provider":"open-ai","model":"gpt-4o"}')
  assert.equal((await shell('prompts', 'push', 'fresh', '--dir', source)).status, 0)
  assert.equal((await shell('prompts', 'diff', 'fresh', '--dir', source)).status, 0)
  const listed = await shell.json<{ slug: string; status: string }[]>('prompts', 'list')
  assert.equal(listed.find(({ slug }) => slug === 'fresh')!.status, 'draft')
  rmSync(join(source, 'fresh'), { recursive: true })
  assert.match((await shell('prompts', 'diff', '--dir', source)).stdout, /fresh: not in/)
})

it('invalid files and unknown prompts are rejected before anything is written', async () => {
  const dir = emptyFolder()
  await shell('prompts', 'pull', 'greeting', '--dir', dir)
  appendFileSync(join(dir, 'greeting', 'model.json'), '}')
  const broken = await shell('prompts', 'push', '--dir', dir)
  assert.equal(broken.status, 1)
  assert.match(broken.stderr, /model\.json is not valid JSON/)
  const nowhere = emptyFolder()
  assert.match(
    (await shell('prompts', 'pull', 'unknown', '--dir', nowhere)).stderr,
    /No prompt has the slug "unknown"/,
  )
  assert.ok(!existsSync(join(nowhere, 'unknown')))
  assert.equal((await shell('prompts', 'push', '--dir', nowhere)).status, 1)
  assert.equal((await shell('prompts', 'push', '--dir', dir, '--tag', 'latest')).status, 2)
  assert.match(
    (await shell('prompts', 'pull', 'greeting', '--tag', 'canary', '--dir', dir)).stderr,
    /tag "canary"/,
  )
})
