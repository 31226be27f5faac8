import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { defaultWorkspaceId, type NewJob } from '@plumbline/storage/control'
import { startTestApp, type TestWorkspace } from '../../../testing/test-app.ts'

const { list, counts, get, retry, cancel } = operations.jobs
const { app, newWorkspace } = await startTestApp()
const queue = app.control.jobs

/** A job of a kind that no node handles, so that its state does not change. */
const addJob = async (workspace: TestWorkspace | undefined, fields: Partial<NewJob> = {}) => {
  const kind = fields.kind ?? `test.${randomUUID()}`
  const job = { kind, workspaceId: workspace?.id, payload: { secret: 'x' }, attemptsMax: 3, ...fields }
  const [id] = await queue.enqueue([job], new Date())
  assert.ok(id !== undefined)
  return { id, kind }
}
const failJob = async (kind: string): Promise<void> => {
  const now = new Date()
  const claim = { kind, leaseOwner: 'test', leaseExpiresAt: now, limit: 1, closedGroups: [], now }
  const [job] = await queue.claim(claim)
  await queue.fail({ id: job!.id, attempts: job!.attempts, leaseOwner: 'test' }, 'The receiver is down.', now)
}
const operatorOf = async (workspace: TestWorkspace) => {
  const operator = await workspace.signIn('owner')
  const time = new Date()
  await app.control.people.addMember(
    { workspaceId: defaultWorkspaceId, personId: operator.id, role: 'owner' },
    time,
  )
  return operator
}

describe('jobs.list', () => {
  it('200: lists the jobs of the workspace, newest first and in pages, by kind and state', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()]
    const first = await addJob(workspace)
    const second = await addJob(workspace, { kind: first.kind })
    await addJob(other, { kind: first.kind })
    await addJob(undefined, { kind: first.kind })
    await addJob(workspace)
    const input = { kind: first.kind, state: 'waiting', limit: 1 }
    const page = await workspace.ok(list, input)
    const rest = await workspace.ok(list, { ...input, cursor: page.nextCursor })
    assert.deepEqual(
      [...page.jobs, ...rest.jobs].map(({ id }) => id).toSorted(),
      [first.id, second.id].toSorted(),
    )
    assert.equal(rest.nextCursor, undefined)
    assert.deepEqual((await workspace.ok(list, { kind: first.kind, state: 'failed' })).jobs, [])
    assert.doesNotMatch(JSON.stringify(page), /secret/)
  })

  it('200: lists the jobs of the installation for its operators', async () => {
    const workspace = await newWorkspace()
    const { id, kind } = await addJob(undefined)
    const { jobs } = await workspace.ok(list, { kind, installation: true }, await operatorOf(workspace))
    assert.deepEqual(
      jobs.map((job) => job.id),
      [id],
    )
  })

  it('403: refuses the jobs of the installation to owners and keys of other workspaces', async () => {
    const workspace = await newWorkspace()
    for (const options of [{}, await workspace.signIn('owner')])
      for (const operation of [list, counts])
        assert.match(
          await workspace.refused(operation, { installation: true }, 403, options),
          /^Only owners of the first workspace/,
        )
  })

  it('400: names the field that is wrong', async () => {
    const workspace = await newWorkspace()
    assert.match(await workspace.refused(list, { state: 'lost' }, 400), /^state: /)
    assert.match(await workspace.refused(list, { installation: 'maybe' }, 400), /^installation: /)
    assert.match(await workspace.refused(list, { cursor: 'x' }, 400), /^cursor: /)
  })
})

describe('jobs.counts', () => {
  it('200: counts the jobs of the workspace by kind and state', async () => {
    const workspace = await newWorkspace()
    const { kind } = await addJob(workspace)
    await failJob(kind)
    const dueAt = new Date('2026-01-01T00:00:00Z')
    await addJob(workspace, { kind, dueAt })
    const since = { waitingSince: dueAt.toISOString() }
    const expected = { kind, isListed: true, waiting: 1, running: 0, failed: 1, done: 0, ...since }
    const own = (await workspace.ok(counts)).kinds
    const listed = own.filter(({ isListed }) => isListed)
    assert.deepEqual(listed, [expected])
    const nothing = { isListed: false, waiting: 0, running: 0, failed: 0 }
    assert.deepEqual(
      own.filter(({ isListed }) => !isListed),
      ['evaluation.judge', 'experiment.case', 'trace.assemble'].map((each) => ({
        kind: each,
        ...nothing,
      })),
    )
    const { kinds } = await workspace.ok(counts, { installation: true }, await operatorOf(workspace))
    assert.deepEqual(
      kinds.find((each) => each.kind === kind),
      expected,
    )
  })

  it('400: the flag is invalid', async () => {
    assert.match(await (await newWorkspace()).refused(counts, { installation: 'x' }, 400), /^installation: /)
  })
})

describe('jobs.get', () => {
  it('200: returns why a job failed', async () => {
    const workspace = await newWorkspace()
    const { id, kind } = await addJob(workspace)
    await failJob(kind)
    const { job } = await workspace.ok(get, { id })
    assert.deepEqual(
      [job.state, job.lastError, job.attempts, job.attemptsMax, job.workspaceId],
      ['failed', 'The receiver is down.', 1, 3, workspace.id],
    )
  })

  it('200: finds jobs of other workspaces and of the installation for operators', async () => {
    const workspace = await newWorkspace()
    const operator = await operatorOf(workspace)
    for (const owner of [await newWorkspace(), undefined])
      await workspace.ok(get, { id: (await addJob(owner)).id }, operator)
  })

  it("404: hides the installation's jobs from everyone else", async () => {
    const workspace = await newWorkspace()
    const { id } = await addJob(undefined)
    for (const operation of [get, retry, cancel])
      assert.match(await workspace.refused(operation, { id }, 404), /^No job has the id/)
  })
})

describe('jobs.retry', () => {
  it('200: runs a dead letter again, and changes no other job', async () => {
    const workspace = await newWorkspace()
    const { id, kind } = await addJob(workspace)
    assert.equal((await workspace.ok(retry, { id })).retried, false)
    await failJob(kind)
    const { job, retried } = await workspace.ok(retry, { id })
    assert.deepEqual([retried, job.state, job.attempts], [true, 'waiting', 0])
  })

  it('404: does not find an unknown job', async () => {
    assert.match(
      await (await newWorkspace()).refused(retry, { id: 'none' }, 404),
      /^No job has the id "none"/,
    )
  })
})

describe('jobs.cancel', () => {
  it('200: ends a waiting job, once', async () => {
    const workspace = await newWorkspace()
    const { id } = await addJob(workspace)
    const { job, cancelled } = await workspace.ok(cancel, { id })
    assert.deepEqual([cancelled, job.state], [true, 'cancelled'])
    assert.equal((await workspace.ok(cancel, { id })).cancelled, false)
    assert.equal((await workspace.ok(retry, { id })).retried, true)
  })

  it('404: does not find an unknown job', async () => {
    assert.match(
      await (await newWorkspace()).refused(cancel, { id: 'none' }, 404),
      /^No job has the id "none"/,
    )
  })
})
