import assert from 'node:assert/strict'
import { it } from 'node:test'
import { freePort } from '../../fixtures/free-port.ts'
import { answerWith, fates, startProxy, startService } from '../../sdk/src/testing.ts'
import { makeShell } from './testing.ts'

const { url, workspace } = await startService()

it('a healthy service has one line for each check, and exit status 0', async () => {
  const { status, stdout } = await makeShell(url, workspace.key.secret)('doctor')
  assert.equal(status, 0, stdout)
  assert.equal(stdout.trim().split('\n').length, 6)
  assert.match(stdout, /^ok {5}key {8}The key "Test" is valid: .*manage/m)
  assert.match(stdout, /^ok {5}spool {6}\d+ records/m)
  const ingest = await workspace.newKey(['ingest'])
  assert.match(
    (await makeShell(url, ingest.secret)('doctor')).stdout,
    /may not read: it has only ingest or operate/,
  )
})

it('a malformed key is incorrect usage, and is not reported as an unreachable service', async () => {
  for (const key of ['', 'pl_…', 'pl_a\nb']) {
    const { status, stderr } = await makeShell(url, 'pl_x')('--key', key, 'doctor')
    assert.equal(status, 2)
    assert.match(stderr, /must be an API key/)
  }
  assert.equal((await makeShell(url, `${workspace.key.secret}\n`)('doctor')).status, 0)
})

it('--version prints the version, except for commands with a --version of their own', async () => {
  const shell = makeShell(url, workspace.key.secret)
  for (const word of ['--version', '-V']) {
    const { status, stdout } = await shell(word)
    assert.equal(status, 0)
    assert.match(stdout, /^\d+\.\d+\.\d+\S*\n$/)
  }
  assert.match((await shell('--help')).stdout, /plumbline --version/)
  const { stderr } = await shell('prompts', 'get', 'unknown', '--version', '1.0.0')
  assert.match(stderr, /No prompt has the slug "unknown"/)
})

it('an unknown key is reported, with advice', async () => {
  const { status, stdout } = await makeShell(url, 'pl_nobody')('doctor', '--json')
  assert.equal(status, 1)
  const { findings } = JSON.parse(stdout) as {
    findings: { check: string; isRight: boolean; advice?: string }[]
  }
  const wrong = findings.filter(({ isRight }) => !isRight)
  assert.deepEqual(
    wrong.map(({ check }) => check),
    ['key'],
  )
  assert.match(wrong[0]!.advice!, /keys create/)
})

it('an address with no service or another server is reported', async () => {
  const nobody = await makeShell(`http://127.0.0.1:${await freePort()}`, 'pl_x')('doctor')
  assert.equal(nobody.status, 1)
  assert.match(nobody.stdout, /cannot be reached[\s\S]*PLUMBLINE_URL/)
  const proxy = await startProxy(url)
  proxy.fate(answerWith(200, '<html></html>'))
  assert.match((await makeShell(proxy.url, 'pl_x')('doctor')).stdout, /is not the service/)
})

it('unreachable stores, a wrong clock, another interface and a backlog are reported', async () => {
  const proxy = await startProxy(url)
  const { secret } = workspace.key
  proxy.fate(
    fates.pass,
    answerWith(200, '{"status":"alive"}', { date: new Date(Date.now() + 90_000).toUTCString() }),
    answerWith(503, '{"error":"Not reachable now: traces."}'),
    fates.pass,
    answerWith(200, '{"info":{"version":"9.0.0"}}'),
    answerWith(200, 'plumbline_spool_records 12\nplumbline_spool_oldest_seconds 300\n'),
  )
  const { status, stdout } = await makeShell(proxy.url, secret)('doctor')
  assert.equal(status, 1)
  for (const finding of [
    /Not reachable now: traces/,
    /(89|90|91) s ahead/,
    /is 9\.0\.0/,
    /12 records .* 300 s/,
  ])
    assert.match(stdout, finding)
})
