import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { activeParts, partOf } from '@plumbline/storage/traces/testing'
import { eventually } from '../../../../fixtures/eventually.ts'
import {
  answersAbout,
  erase,
  filesWith,
  fillWithSubject,
  subject,
  uniqueWords,
} from '../../../testing/erased-subject.ts'
import {
  makeDataset,
  makeFeature,
  makeLivePrompt,
  startTestApp,
  type TestWorkspace,
} from '../../../testing/test-app.ts'

const { create, preview, list, get } = operations.erasures
// A process of its own: it searches every byte of the stores, whose clock and parts are its own.
let offsetMs = 0
const testApp = await startTestApp({ now: () => new Date(Date.now() + offsetMs) })
const { newWorkspace, dataFolder, traceFolder } = testApp
const folders = [dataFolder, traceFolder]
const passTime = (ms: number) => {
  offsetMs += ms
}

const searched = [subject.id, JSON.stringify(subject.name).slice(1, -1), ...uniqueWords]

describe('erasures.create', () => {
  it('201: erases a user in every place, and leaves others unchanged (H2)', async () => {
    const workspace = await newWorkspace()
    const { others, traceId, fileKey, sharedFileKey } = await fillWithSubject(testApp, workspace)
    const before = await answersAbout(workspace, others)
    assert.notDeepEqual(filesWith(folders, searched), [])
    const counts = await workspace.ok(preview, { userId: subject.id })
    const { erasure } = await workspace.ok(create, { userId: subject.id })
    const report = await erase({ testApp, workspace, id: erasure.id, passTime })
    // The engine removes the files of replaced parts after eight minutes; no other file contains a byte of the subject.
    const active = await activeParts(traceFolder)
    const files = filesWith(folders, searched)
    assert.deepEqual(
      files.filter((path) => !path.startsWith(traceFolder) || active.has(partOf(path))),
      [],
    )
    assert.deepEqual(await answersAbout(workspace, others), withoutScore(before))
    for (const place of [
      'traces',
      'logs',
      'datasetRows',
      'datasetVersionRows',
      'files',
      'refusedRecords',
      'savedViews',
      'dashboards',
      'alerts',
      'liveRules',
      'jobs',
      'auditStates',
    ])
      assert.equal(report.deleted[place], counts.found[place], place)
    const { mentions, oldParts: _oldParts, ...remainingRows } = report.found!
    assert.ok(
      Object.values(remainingRows).every((rows) => rows === 0),
      JSON.stringify(remainingRows),
    )
    assert.equal(mentions, 0)
    assert.deepEqual(
      {
        ...report.deleted,
        ...{ scores: undefined, ledgerSamples: undefined, spans: undefined, idempotentRequests: undefined },
      },
      {
        ...{
          traces: 4,
          logs: 4,
          // A score that arrived before its trace may still be a waiting job.
          scores: undefined,
          evaluations: 0,
          annotationItems: 1,
          experimentAttachments: 0,
          deletions: 0,
          comments: 0,
          shares: 0,
        },
        ...{
          experimentCases: 0,
          datasetRows: 3,
          datasetVersionRows: 1,
          runRows: 0,
          files: 1,
          refusedRecords: 1,
          savedViews: 1,
          dashboards: 1,
          alerts: 1,
        },
        ...{ liveRules: 1, jobs: 2, auditStates: 1 },
        ...{ annotationFeeds: 0, ledgerSamples: undefined, spans: undefined, idempotentRequests: undefined },
      },
    )
    assert.ok((report.deleted.scores ?? 0) > 0)
    assert.ok((report.deleted.ledgerSamples ?? 0) > 0)
    assert.ok((report.deleted.idempotentRequests ?? 0) > 0)
    await workspace.refused(operations.traces.get, { id: traceId }, 404)
    await workspace.refused(operations.files.get, { fileKey }, 404)
    assert.equal((await workspace.call(operations.files.get, { fileKey: sharedFileKey })).status, 200)
    const refused = readFileSync(join(dataFolder, 'refused', `${workspace.id}.ndjson`), 'utf8')
    assert.match(refused, /^[^\n]*somebody else[^\n]*\n$/)
  })

  it("201: erases what experiments recorded for rows made from the subject's traces", async () => {
    const workspace = await newWorkspace()
    await makeFeature(workspace)
    await makeLivePrompt(workspace, {}, { featureSlug: 'chat' })
    const record = async (fields: object): Promise<string> =>
      (await workspace.ok(operations.monitor.trace, { featureSlug: 'chat', ...fields })).trace.id
    const traceId = await record({ user: { id: 'tester', name: 'T' }, input: 'Nachtkerze' })
    const other = await record({ user: { id: 'bob', name: 'Bob' }, input: 'of Bob' })
    const collect = async (slug: string, traceIds: string[]): Promise<string[]> => {
      await makeDataset(workspace, { slug, columns: [{ name: 'question', type: 'text' }] })
      const sources = traceIds.map((id) => ({ traceId: id }))
      return (await workspace.ok(operations.datasets.collect, { slug, sources })).ids
    }
    const ids = await collect('cases', [traceId, other, traceId])
    await collect('gone', [traceId])
    const run = await runOver(workspace, 'cases')
    await runOver(workspace, 'gone')
    await workspace.ok(operations.datasets.delete, { slug: 'gone' })
    await workspace.ok(operations.datasets.discard, { slug: 'cases', ids: [ids[2]!] })
    // As clients and runs record the case of a row.
    const experiment = { id: run.experimentId }
    const cases: string[] = []
    for (const datasetRowId of ids)
      cases.push(await record({ experiment, input: 'Nachtkerze', metadata: { datasetRowId } }))
    // A trace that an endpoint reported, which retention has deleted since.
    const reported = await record({ input: 'Nachtkerze' })
    const { experimentAttachments } = testApp.app.control.scopedTo({ workspaceId: workspace.id })
    const joinedIds = [reported, crypto.randomUUID()]
    const attachments = joinedIds.map((id) => ({
      traceId: id,
      experimentId: run.experimentId,
      datasetRowId: ids[0]!,
    }))
    await experimentAttachments.add(attachments, new Date())
    await experimentAttachments.stored(joinedIds)
    const [rowOfCase] = await collect('cases-of-cases', [cases[0]!])
    const counts = await workspace.ok(preview, { userId: 'tester' })
    const { erasure } = await workspace.ok(create, { userId: 'tester' })
    const report = await erase({ testApp, workspace, id: erasure.id, passTime })
    const expected = { traces: 4, datasetRows: 2, datasetVersionRows: 1, runRows: 3 }
    assert.equal(erasure.expectedTraces, expected.traces)
    for (const [place, rows] of Object.entries(expected)) {
      assert.equal(counts.found[place], rows, `${place} that the preview counts`)
      assert.equal(report.deleted[place], rows, `${place} that are deleted`)
    }
    for (const id of [cases[0]!, cases[2]!, reported])
      await workspace.refused(operations.traces.get, { id }, 404)
    await workspace.ok(operations.traces.get, { id: cases[1]! })
    const rowIdsOf = async (slug: string) =>
      (await workspace.ok(operations.datasets.rows, { slug })).rows.map(({ id }) => id)
    assert.deepEqual(await rowIdsOf('cases'), [ids[1]])
    assert.ok(!(await rowIdsOf('cases-of-cases')).includes(rowOfCase!))
  })

  it('201: erases rows by their split and labels, and responses by their key', async () => {
    const workspace = await newWorkspace()
    const slug = 'cases'
    await makeDataset(workspace, { slug, columns: [{ name: 'question', type: 'text' }] })
    const values = { question: 'Why?' }
    const rows = [{ values, split: 'keira' }, { values, labels: ['hard', 'keira'] }, { values }]
    const { ids } = await workspace.ok(operations.datasets.append, { slug, rows })
    await workspace.ok(operations.datasetVersions.create, { slug })
    await workspace.ok(operations.datasets.change, { slug, id: ids[2]!, labels: ['keira'] })
    await workspace.ok(operations.datasets.change, { slug, id: ids[2]!, labels: [] })
    const headers = { 'idempotency-key': 'chat of keira, 17' }
    await workspace.ok(operations.monitor.trace, { input: 'Hi' }, { headers })
    const { erasure } = await workspace.ok(create, { userId: 'keira' })
    const { deleted } = await erase({ testApp, workspace, id: erasure.id, passTime })
    assert.deepEqual([deleted.datasetRows, deleted.idempotentRequests], [2, 1])
    const left = await workspace.ok(operations.datasets.rows, { slug })
    assert.deepEqual(
      left.rows.map(({ id }) => id),
      [ids[2]],
    )
  })

  it('201: erases a user whose id masking rules hash, and nobody if they only hide it', async () => {
    const workspace = await newWorkspace()
    const record = async (id: string): Promise<string> =>
      (await workspace.ok(operations.monitor.trace, { user: { id, name: 'Somebody' } })).trace.id
    const setAction = (action: 'hash' | 'mask') =>
      workspace.ok(operations.masking.update, {
        rules: [{ type: 'detector', detector: 'email', name: 'E-mail', action, fields: ['user'] }],
      })
    const plain = await record('ada@example.com')
    await setAction('hash')
    const hashed = [await record('ada@example.com'), await record('Ada@Example.com')]
    const other = await record('bob@example.com')
    const score = { traceId: other, name: 'thumb', value: true, userId: 'ada@example.com' }
    await workspace.ok(operations.scores.create, score)
    const counts = await workspace.ok(preview, { userId: 'ada@example.com' })
    assert.deepEqual([counts.found.traces, counts.found.scoresGiven], [3, 1])
    const { erasure } = await workspace.ok(create, { userId: 'ada@example.com' })
    const report = await erase({ testApp, workspace, id: erasure.id, passTime })
    assert.deepEqual([report.deleted.traces, report.found?.traces], [3, 0])
    for (const id of [plain, ...hashed]) await workspace.refused(operations.traces.get, { id }, 404)
    assert.deepEqual((await workspace.ok(operations.traces.get, { id: other })).trace.scores, [])
    await setAction('mask')
    await record('ada@example.com')
    assert.equal((await workspace.ok(preview, { userId: 'ada@example.com' })).found.traces, 0)
  })

  it('201: removes the filters of earlier deletions that name the subject', async () => {
    const workspace = await newWorkspace()
    const find = async (filter: object) => {
      const { deletion } = await workspace.ok(operations.deletions.create, { filter })
      return eventually(async () => {
        await testApp.app.jobsDrained()
        const { deletion: read } = await workspace.ok(operations.deletions.get, { id: deletion.id })
        if (read.status !== 'done') passTime(300_000)
        assert.equal(read.status, 'done')
        return read
      })
    }
    assert.deepEqual((await find({ userId: 'leaving' })).filter, { userId: 'leaving' })
    await find({ userId: 'staying' })
    const { erasure } = await workspace.ok(create, { userId: 'leaving' })
    const report = await erase({ testApp, workspace, id: erasure.id, passTime })
    assert.equal(report.deleted.deletions, 1)
    const { deletions } = await workspace.ok(operations.deletions.list, {})
    assert.deepEqual(
      deletions.map(({ filter }) => filter),
      [{ userId: 'staying' }, null],
    )
  })

  it('201: keeps the audit log entries, and settings that contain the id by chance', async () => {
    const workspace = await newWorkspace()
    const view = (name: string) =>
      workspace.ok(operations.views.create, { name, page: 'traces', search: '?columns=cost' })
    await view('traces of all')
    await view('about ada')
    const { erasure } = await workspace.ok(create, { userId: 'ada' })
    assert.equal((await erase({ testApp, workspace, id: erasure.id, passTime })).deleted.auditStates, 1)
    const afterId = await workspace.ok(create, { userId: 'page' })
    const report = await erase({ testApp, workspace, id: afterId.erasure.id, passTime })
    assert.equal(report.deleted.auditStates, 0)
    const { entries } = await workspace.ok(operations.audit.list, { operation: 'views.create' })
    assert.deepEqual(
      entries.map(({ outcome, after }) => [outcome, after?.name]),
      [
        ['done', undefined],
        ['done', 'traces of all'],
      ],
    )
  })

  it('201: can prove to anyone who knows the id who was erased, and names nobody', async () => {
    const workspace = await newWorkspace()
    const { erasure } = await workspace.ok(create, { organizationId: 'acme' })
    const request = [workspace.id, 'organization', 'acme', erasure.requestedAt]
    assert.equal(erasure.requestHash, createHash('sha256').update(JSON.stringify(request)).digest('hex'))
    assert.ok(!JSON.stringify(erasure).includes('acme'))
  })

  it('201: keeps what arrives after the request', async () => {
    const workspace = await newWorkspace()
    const user = { id: 'returning', name: 'R' }
    const record = async () => (await workspace.ok(operations.monitor.trace, { user })).trace.id
    const early = await record()
    passTime(1000)
    const { erasure } = await workspace.ok(create, { userId: user.id })
    passTime(1000)
    const late = await record()
    await erase({ testApp, workspace, id: erasure.id, passTime })
    await workspace.refused(operations.traces.get, { id: early }, 404)
    await workspace.ok(operations.traces.get, { id: late })
  })

  it('400: the request names nobody, or two subjects', async () => {
    const workspace = await newWorkspace()
    for (const operation of [create, preview]) {
      assert.match(await workspace.refused(operation, {}, 400), /^userId: /)
      assert.match(
        await workspace.refused(operation, { userId: 'a', organizationId: 'b' }, 400),
        /^organizationId: /,
      )
      assert.match(await workspace.refused(operation, { userId: '' }, 400), /^userId: /)
    }
  })
})

describe('erasures.preview', () => {
  it("200: counts an organization's rows and mentions by others, and deletes nothing", async () => {
    const workspace = await newWorkspace()
    const organization = { id: 'acme', name: 'Acme' }
    const { trace } = await workspace.ok(operations.monitor.trace, { organization })
    await workspace.ok(operations.monitor.trace, { input: 'about acme, by somebody else' })
    const counts = await workspace.ok(preview, { organizationId: 'acme' })
    assert.deepEqual([counts.found.traces, counts.found.datasetRows, counts.mentions], [1, 0, 1])
    await workspace.ok(operations.traces.get, { id: trace.id })
  })

  it('200: finds a user whose id ends in half a surrogate pair (fuzz)', async () => {
    const workspace = await newWorkspace()
    const user = { name: 'Half', id: 'half \ud83d' }
    await workspace.ok(operations.monitor.trace, { user })
    const counts = await workspace.ok(preview, { userId: user.id })
    assert.equal(counts.found.traces, 1)
  })
})

describe('erasures.list', () => {
  it('200: lists the erasures of the workspace, and no deletions', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()]
    await workspace.ok(operations.deletions.create, { filter: { userId: 'a' } })
    const { erasure } = await workspace.ok(create, { userId: 'a' })
    await other.ok(create, { userId: 'a' })
    const { erasures, nextCursor } = await workspace.ok(list)
    assert.deepEqual([erasures.map(({ id }) => id), nextCursor], [[erasure.id], undefined])
  })

  it('400: the cursor belongs to another list', async () => {
    await (await newWorkspace()).refused(list, { cursor: 'x' }, 400)
  })
})

describe('erasures.get', () => {
  it('404: the erasure does not exist, belongs to another workspace, or is a deletion', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()]
    const { erasure } = await other.ok(create, { userId: 'a' })
    const { deletion } = await workspace.ok(operations.deletions.create, { filter: { userId: 'a' } })
    for (const id of ['nothing', erasure.id, deletion.id]) await workspace.refused(get, { id }, 404)
  })
})

/** A run with an unreachable model: it has the rows, but no case is recorded. */
async function runOver(workspace: TestWorkspace, datasetSlug: string) {
  const { connections } = await workspace.ok(operations.connections.list)
  const connectionId =
    connections[0]?.id ??
    (
      await workspace.ok(operations.connections.create, {
        name: 'Nobody',
        provider: 'open-ai',
        apiKey: 'sk-any',
        baseUrl: 'https://model.invalid/v1',
      })
    ).connection.id
  const target = { type: 'prompt', slug: 'greeting', version: '1.0.0', connectionId, model: 'any' } as const
  return (await workspace.ok(operations.experimentRuns.create, { datasetSlug, target })).run
}

/** The subject's own score for another user's trace is erased. */
function withoutScore(answers: readonly string[]): string[] {
  return answers.map((text) => {
    const answer = JSON.parse(text) as { trace: { scores: { userId: string | null }[] } }
    answer.trace.scores = answer.trace.scores.filter(({ userId }) => userId !== subject.id)
    return JSON.stringify(answer)
  })
}
