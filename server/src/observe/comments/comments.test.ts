import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { otlpTraceId, sendSpans } from '../../../testing/deleted-spans.ts'
import {
  makeExperiment,
  makeFeature,
  recordTrace,
  startTestApp,
  type TestWorkspace,
} from '../../../testing/test-app.ts'

const { list, mentions, acknowledge, create, update, delete: remove } = operations.comments
const testApp = await startTestApp()
const { app, newWorkspace } = testApp

const nowhere = '01890000-0000-7000-8000-000000000000'

/** A trace with a comment by an editor that mentions a viewer. */
async function writeComment(fields: object = {}) {
  const workspace = await newWorkspace()
  const [editor, viewer] = [await workspace.signIn('editor'), await workspace.signIn('viewer')]
  const { id: subjectId } = await recordTrace(workspace)
  const subject = { subjectType: 'trace', subjectId } as const
  const body = { ...subject, text: 'Why **this**?', mentions: [viewer.id], ...fields }
  const { comment } = await workspace.ok(create, body, editor)
  return { workspace, editor, viewer, subject, comment }
}

const textsOf = async (workspace: TestWorkspace, subject: object) =>
  (await workspace.ok(list, subject)).comments.map(({ text }) => text)

describe('comments.create', () => {
  it('201: returns the comment with its author and the mentioned members', async () => {
    const { editor, viewer, subject, comment } = await writeComment()
    const { id, createdAt, ...rest } = comment
    assert.deepEqual(rest, {
      ...subject,
      text: 'Why **this**?',
      mentions: [{ id: viewer.id, name: 'viewer' }],
      createdBy: editor.id,
      createdByName: 'editor',
    })
    assert.ok(id !== '' && Date.parse(createdAt) > 0)
  })

  it('201: accepts comments on a prompt and on an experiment too', async () => {
    const workspace = await newWorkspace()
    await workspace.ok(operations.prompts.create, { slug: 'greeting', name: 'Greeting' })
    const { slug: featureSlug } = await makeFeature(workspace)
    const { id } = await makeExperiment(workspace, { featureSlug })
    for (const subject of [
      { subjectType: 'prompt', subjectId: 'greeting' },
      { subjectType: 'experiment', subjectId: id },
    ] as const) {
      await workspace.ok(create, { ...subject, text: 'Good' })
      assert.deepEqual(await textsOf(workspace, subject), ['Good'])
    }
  })

  it('400: names the wrong field', async () => {
    const { workspace, subject } = await writeComment()
    const wrong: [path: string, fields: object][] = [
      ['subjectType', { subjectType: 'user' }],
      ['text', { text: '' }],
      ['text', { text: ' \n ' }],
      ['mentions[1]', { mentions: [] as string[] }],
    ]
    const viewer = await workspace.signIn('viewer')
    for (const [path, fields] of wrong) {
      const body = { ...subject, text: 'x', ...fields }
      if (path.startsWith('mentions')) Object.assign(body, { mentions: [viewer.id, 'nobody'] })
      const error = await workspace.refused(create, body, 400)
      assert.ok(error.startsWith(`${path}: `), error)
    }
  })

  it('404: for a subject that does not exist or belongs to another workspace', async () => {
    const { subject } = await writeComment()
    const other = await newWorkspace()
    for (const wrong of [
      subject,
      { subjectType: 'trace', subjectId: nowhere },
      { subjectType: 'prompt', subjectId: 'nobody' },
      { subjectType: 'experiment', subjectId: nowhere },
    ])
      await other.refused(create, { ...wrong, text: 'x' }, 404)
  })
})

describe('comments.list', () => {
  it('200: lists the comments of one subject, oldest first', async () => {
    const { workspace, subject } = await writeComment()
    await workspace.ok(create, { ...subject, text: 'Second' })
    const { id } = await recordTrace(workspace)
    await workspace.ok(create, { subjectType: 'trace', subjectId: id, text: 'Elsewhere' })
    assert.deepEqual(await textsOf(workspace, subject), ['Why **this**?', 'Second'])
  })

  it('200: lists comments on a trace by its OpenTelemetry id too, by which comments and links can be created', async () => {
    const workspace = await newWorkspace()
    const subjectId = otlpTraceId()
    await sendSpans(testApp, workspace, subjectId, [{ spanId: '1'.repeat(16), name: 'root' }])
    await app.flush()
    const subject = { subjectType: 'trace', subjectId } as const
    const { comment } = await workspace.ok(create, { ...subject, text: 'Named by its span' })
    assert.notEqual(comment.subjectId, subjectId)
    assert.deepEqual(await textsOf(workspace, subject), ['Named by its span'])
    assert.deepEqual(await textsOf(workspace, { ...subject, subjectId: comment.subjectId }), [
      'Named by its span',
    ])
    const { share } = await workspace.ok(operations.shares.create, { traceId: subjectId })
    assert.deepEqual((await workspace.ok(operations.shares.list, { traceId: subjectId })).shares, [share])
  })

  it('400: for a type of subject that has no comments', async () => {
    const workspace = await newWorkspace()
    assert.match(
      await workspace.refused(list, { subjectType: 'user', subjectId: 'a' }, 400),
      /^subjectType: /,
    )
  })
})

describe('comments.mentions', () => {
  it('200: lists comments that mention the caller, newest first, until they are acknowledged', async () => {
    const { workspace, editor, viewer, subject } = await writeComment()
    await workspace.ok(create, { ...subject, text: 'Again', mentions: [viewer.id, editor.id] }, editor)
    const read = await workspace.ok(mentions, {}, viewer)
    assert.deepEqual(
      read.comments.map(({ comment, isNew }) => [comment.text, isNew]),
      [
        ['Again', true],
        ['Why **this**?', true],
      ],
    )
    assert.equal(read.newCount, 2)
    assert.deepEqual(await workspace.ok(acknowledge, {}, viewer), { acknowledged: 2 })
    const later = await workspace.ok(mentions, { limit: 1 }, viewer)
    assert.deepEqual([later.newCount, later.comments.map(({ isNew }) => isNew)], [0, [false]])
    assert.equal((await workspace.ok(mentions, {}, editor)).newCount, 1)
  })

  it('400: for a limit that is too large', async () => {
    const workspace = await newWorkspace()
    assert.match(await workspace.refused(mentions, { limit: 1001 }, 400), /^limit: /)
  })
})

describe('comments.acknowledge', () => {
  it('200: acknowledges new mentions for the caller only', async () => {
    const { workspace, editor } = await writeComment()
    assert.deepEqual(await workspace.ok(acknowledge, {}, editor), { acknowledged: 0 })
  })
})

describe('comments.update', () => {
  it('200: lets the author change the text and the mentioned members', async () => {
    const { workspace, editor, viewer, comment } = await writeComment()
    const changed = (
      await workspace.ok(update, { id: comment.id, text: 'Better', mentions: [editor.id] }, editor)
    ).comment
    assert.equal(changed.text, 'Better')
    assert.deepEqual(
      changed.mentions.map(({ id }) => id),
      [editor.id],
    )
    assert.ok(changed.editedAt !== undefined)
    assert.equal((await workspace.ok(mentions, {}, viewer)).newCount, 0)
    const same = await workspace.ok(update, { id: comment.id, text: 'Best' }, editor)
    assert.equal(same.comment.mentions.length, 1)
  })

  it('400: for an empty text', async () => {
    const { workspace, editor, comment } = await writeComment()
    const error = await workspace.refused(update, { id: comment.id, text: '' }, 400, editor)
    assert.match(error, /^text: /)
  })

  it('403: for anyone but the author', async () => {
    const { workspace, comment } = await writeComment()
    for (const role of ['editor', 'admin'] as const)
      await workspace.refused(update, { id: comment.id, text: 'x' }, 403, await workspace.signIn(role))
  })

  it('404: for a comment that is not in the workspace', async () => {
    const { comment } = await writeComment()
    await (await newWorkspace()).refused(update, { id: comment.id, text: 'x' }, 404)
  })
})

describe('comments.delete', () => {
  it('204: lets the author and admins delete it', async () => {
    for (const role of ['author', 'admin'] as const) {
      const { workspace, editor, viewer, subject, comment } = await writeComment()
      await workspace.ok(
        remove,
        { id: comment.id },
        role === 'author' ? editor : await workspace.signIn('admin'),
      )
      assert.deepEqual(await textsOf(workspace, subject), [])
      assert.equal((await workspace.ok(mentions, {}, viewer)).comments.length, 0)
    }
  })

  it('403: for everyone else', async () => {
    const { workspace, comment } = await writeComment()
    await workspace.refused(remove, { id: comment.id }, 403, await workspace.signIn('editor'))
  })

  it('404: for a comment that is not in the workspace', async () => {
    await (await newWorkspace()).refused(remove, { id: nowhere }, 404)
  })
})

describe('comments', () => {
  it('are deleted with their prompt and their experiment', async () => {
    const workspace = await newWorkspace()
    await workspace.ok(operations.prompts.create, { slug: 'greeting', name: 'Greeting' })
    const { slug: featureSlug } = await makeFeature(workspace)
    const { id } = await makeExperiment(workspace, { featureSlug })
    const prompt = { subjectType: 'prompt', subjectId: 'greeting' } as const
    const experiment = { subjectType: 'experiment', subjectId: id } as const
    for (const subject of [prompt, experiment]) await workspace.ok(create, { ...subject, text: 'x' })
    await workspace.ok(operations.prompts.archive, { slug: 'greeting' })
    await workspace.ok(operations.prompts.delete, { slug: 'greeting' })
    await workspace.ok(operations.experiments.delete, { id })
    for (const subject of [prompt, experiment]) assert.deepEqual(await textsOf(workspace, subject), [])
    await app.flush()
  })
})
