/**
 * Endpoint tests through a proxy that sends each request to another of three nodes: everything a test does on one node must
 * apply on the next. `npm run test:nodes` takes ten minutes. `PLUMBLINE_TEST_PART=2/4` runs the second of four parts.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { hostEnvironment } from '../../fixtures/environment.ts'
import { allTestFiles } from '../../scripts/test/select-files.ts'
import type { RemoteNodes } from './remote-test-app.ts'
import { startRoundRobin, startSeveralNodes } from './several-nodes.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const nodeCount = 3

/** Matches tests that use the process of a single service, which several nodes do not have. */
const usesTheProcess =
  /\bapp\.(?!flush\b|control\b|ts\b)|\b(?:dataFolder|traceFolder|listenGrpc)\b|\blisten\(testApp|startTestApp\((?!\))/

/** Tests of things that apply on other nodes only a moment later, or belong to one node. */
const excepted = [
  // Sessions end on other nodes within five seconds, and the tests count the owners of the installation.
  'server/src/accounts/accounts/',
  // Lists show a score of another node a moment later.
  'server/src/evaluate/scores/edit.test.ts',
  // A node writes its counts every second.
  'server/src/ingest/ledger/',
  'server/src/prompts/prompts/usage.test.ts',
  // Connections and metrics belong to a node; with several nodes, files need a bucket.
  'server/src/http/',
]

const [part = 1, parts = 1] = (hostEnvironment.PLUMBLINE_TEST_PART ?? '1/1').split('/').map(Number)

/** Endpoint tests that only send requests. */
const files = allTestFiles()
  .filter(({ isEndpoint, isSlow }) => isEndpoint && !isSlow)
  .map(({ path }) => path)
  .filter((path) => !excepted.some((start) => path.startsWith(start)))
  .filter((path) => {
    const text = readFileSync(`${root}/${path}`, 'utf8')
    return text.includes('startTestApp()') && !usesTheProcess.test(text)
  })
  .filter((_path, index) => index % parts === part - 1)

// Without a file, "node --test" runs all tests.
assert.ok(files.length > 0)

test('endpoint tests pass through a proxy that sends each request to another node', async (t) => {
  const several = await startSeveralNodes(nodeCount, 'pl_round_robin_key_0123456789', {
    PLUMBLINE_RATE_LIMIT_PER_MINUTE: '0',
  })
  const proxy = await startRoundRobin(several)
  t.after(async () => {
    proxy.stop()
    await several.stop()
  })
  const { databaseUrl, secretKey } = several
  const nodes: RemoteNodes = { url: proxy.url, databaseUrl, secretKey }
  const { NODE_TEST_CONTEXT: _ofThisTest, ...environment } = hostEnvironment
  const run = spawn(process.execPath, ['--test', '--test-isolation=none', '--test-reporter=tap', ...files], {
    cwd: root,
    env: { ...environment, PLUMBLINE_TEST_NODES: JSON.stringify(nodes) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let report = ''
  t.after(() => run.kill('SIGKILL'))
  run.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    report += chunk
  })
  await once(run, 'close')
  const count = (name: string): number => Number(new RegExp(`^# ${name} (\\d+)$`, 'm').exec(report)?.[1])
  t.diagnostic(
    `${files.length} files, ${count('pass')} passed, ${count('fail')} failed, ${count('skipped')} skipped`,
  )
  const failed = report.match(/^ *not ok [\s\S]*?\n *\.\.\.$/gm) ?? []
  assert.ok(count('pass') > 0)
  assert.deepEqual(failed, [])
  assert.equal(count('fail') + count('cancelled') + count('skipped') + count('todo'), 0)
})
