import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { startTestApp, type TestWorkspace } from '../../../testing/test-app.ts'

const { append, change, create, discard, export: write, facets, rows, update } = operations.datasets
const { newWorkspace } = await startTestApp()

const slug = 'cases'
const columns = [
  { name: 'question', type: 'text' },
  { name: 'context', type: 'json' },
]

async function makeRows(workspace: TestWorkspace, all: readonly object[]): Promise<readonly string[]> {
  await workspace.ok(create, { slug, name: 'Cases', columns })
  return (await workspace.ok(append, { slug, rows: all })).ids
}

/** The positions of matching rows among those that were created. */
async function find(
  workspace: TestWorkspace,
  ids: readonly string[],
  q: string,
  options: object = {},
): Promise<readonly number[]> {
  const page = await workspace.ok(rows, { slug, q, ...options })
  assert.equal(page.nextCursor, undefined)
  return page.rows.map(({ id }) => ids.indexOf(id))
}

describe('datasets.rows with q', () => {
  it('200: finds substrings in every column and in other fields, case-insensitively, in any script', async () => {
    const workspace = await newWorkspace()
    const ids = await makeRows(workspace, [
      { values: { question: 'Où est la GARE?' } },
      { values: { question: 'ПРИВЕТ', context: { city: 'Zürich', number: 42 } } },
      { values: { question: 'x' }, name: 'Čas' },
      { values: { question: 'x' }, idealOutput: 'ΑΘΗΝΑ' },
      { values: { question: 'x' }, metadata: { source: 'ÅRE' } },
      { values: { question: 'x' }, split: 'Train', labels: ['Très long'] },
    ])
    const expected: readonly (readonly [string, readonly number[]])[] = [
      ['gare', [0]],
      ['OÙ EST', [0]],
      ['привет', [1]],
      ['ZÜRICH', [1]],
      ['42', [1]],
      ['čas', [2]],
      ['αθηνα', [3]],
      ['åre', [4]],
      ['train', [5]],
      ['TRÈS', [5]],
      ['nothing has it', []],
    ]
    for (const [q, places] of expected) assert.deepEqual(await find(workspace, ids, q), places, q)
  })

  it('200: finds what a user sees, and not column names, escapes or wildcards', async () => {
    const workspace = await newWorkspace()
    const ids = await makeRows(workspace, [
      { values: { question: 'she said "no"\nand left', gone: 'hidden' } },
      { values: { question: '100 % of it_all', context: { note: 'a "quoted" word', list: [1, 'two'] } } },
      { values: { question: 'C:\\temp' } },
    ])
    const expected: readonly (readonly [string, readonly number[]])[] = [
      ['said "no"', [0]],
      ['"no"\nand', [0]],
      ['\\n', []],
      ['question', []],
      ['hidden', []],
      ['%', [1]],
      ['t_a', [1]],
      ['a "quoted" word', [1]],
      ['"list":[1,"two"]', [1]],
      ['note', [1]],
      ['c:\\t', [2]],
      ['\\', [1, 2]],
    ]
    for (const [q, places] of expected) assert.deepEqual(await find(workspace, ids, q), places, q)
    await workspace.ok(update, { slug, columns: [...columns, { name: 'gone', type: 'text' }] })
    assert.deepEqual(await find(workspace, ids, 'hidden'), [0])
  })

  it('200: searches within a split, a label and a version', async () => {
    const workspace = await newWorkspace()
    const ids = await makeRows(workspace, [
      { values: { question: 'one apple' }, split: 'train' },
      { values: { question: 'two apples' }, split: 'test', labels: ['long'] },
      { values: { question: 'a pear' }, split: 'train' },
    ])
    const { version } = (await workspace.ok(operations.datasetVersions.create, { slug })).version
    await workspace.ok(change, { slug, id: ids[0], values: { question: 'a plum' } })
    await workspace.ok(discard, { slug, ids: [ids[1]] })
    assert.deepEqual(await find(workspace, ids, 'apple'), [])
    assert.deepEqual(await find(workspace, ids, 'apple', { version }), [0, 1])
    assert.deepEqual(await find(workspace, ids, 'apple', { version, split: 'train' }), [0])
    assert.deepEqual(await find(workspace, ids, 'apple', { version, label: 'long' }), [1])
  })

  it('200: walks a large dataset in pages that each search a part of it, and finds every match once', async () => {
    const workspace = await newWorkspace()
    await makeRows(workspace, [{ values: { question: 'needle 0' } }])
    for (let part = 1; part <= 41; part++)
      await workspace.ok(append, {
        slug,
        rows: Array.from({ length: 1000 }, (_, index) => ({
          values: { question: index === 999 && part % 10 === 1 ? `needle ${part}` : 'hay' },
        })),
      })
    // Pages that end because they are full, and pages that end because they have searched enough.
    for (const [limit, pagesMin] of [
      [1, 6],
      [100, 3],
    ] as const) {
      const texts: unknown[] = []
      let cursor: string | undefined
      let pages = 0
      do {
        const page = await workspace.ok(rows, { slug, q: 'NEEDLE', limit, ...(cursor && { cursor }) })
        texts.push(...page.rows.map(({ values }) => values.question))
        cursor = page.nextCursor
        pages += 1
      } while (cursor !== undefined)
      assert.deepEqual(texts, ['needle 0', 'needle 1', 'needle 11', 'needle 21', 'needle 31', 'needle 41'])
      assert.ok(pages >= pagesMin, String(pages))
    }
    const { rowCount } = await workspace.ok(facets, { slug, q: 'needle' })
    assert.equal(rowCount, 6)
  })

  it('400: the text is empty or too long', async () => {
    const workspace = await newWorkspace()
    await makeRows(workspace, [{ values: { question: 'x' } }])
    for (const q of ['', 'x'.repeat(1001)])
      assert.match(await workspace.refused(rows, { slug, q }, 400), /^q: /)
  })
})

it('datasets.facets counts the matches of a search, and datasets.export writes them', async () => {
  const workspace = await newWorkspace()
  await makeRows(workspace, [
    { values: { question: 'Élan' }, split: 'train', labels: ['a', 'b'] },
    { values: { question: 'élan vital' }, split: 'test', labels: ['a'] },
    { values: { question: 'other' }, split: 'train' },
  ])
  assert.deepEqual(await workspace.ok(facets, { slug, q: 'élan' }), {
    rowCount: 2,
    splits: [
      { name: 'test', count: 1 },
      { name: 'train', count: 1 },
    ],
    labels: [
      { name: 'a', count: 2 },
      { name: 'b', count: 1 },
    ],
  })
  assert.equal((await workspace.ok(facets, { slug })).rowCount, 3)
  const file = await workspace.call(write, { slug, q: 'VITAL', format: 'jsonl' })
  assert.deepEqual(JSON.parse(file.text), {
    values: { question: 'élan vital' },
    split: 'test',
    labels: ['a'],
  })
})
