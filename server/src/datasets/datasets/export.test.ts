import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { parquetReadObjects } from 'hyparquet'
import { makeDataset, startTestApp } from '../../../testing/test-app.ts'

const { datasets } = operations
const { newWorkspace } = await startTestApp()

const rows = [
  {
    values: { question: '=cmd', data: { a: [1] } },
    idealOutput: 'yes',
    name: 'one',
    metadata: { k: 1 },
    split: 'test',
    labels: ['hard', 'long'],
  },
  { values: { question: '', data: 'text' } },
  { values: { question: "'=x" } },
]

const fillDataset = async () => {
  const workspace = await newWorkspace()
  const columns = [
    { name: 'question', type: 'text' },
    { name: 'data', type: 'json' },
  ]
  await makeDataset(workspace, { columns })
  for (const row of rows) await workspace.ok(datasets.add, { slug: 'cases', ...row })
  return workspace
}

describe('datasets.export', () => {
  it('200: as JSONL and JSON has the rows as `datasets.get` returns them', async () => {
    const workspace = await fillDataset()
    const lines = (await workspace.call(datasets.export, { slug: 'cases', format: 'jsonl' })).text
    assert.deepEqual(
      lines
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
      rows,
    )
    const list = (await workspace.call(datasets.export, { slug: 'cases', format: 'json' })).text
    assert.deepEqual(JSON.parse(list), rows)
    await makeDataset(workspace, { slug: 'empty' })
    assert.equal((await workspace.call(datasets.export, { slug: 'empty', format: 'json' })).text, '[]\n')
  })

  it('200: as CSV distinguishes an empty text from a missing one, and escapes what a spreadsheet would execute', async () => {
    const { headers, text } = await (await fillDataset()).call(datasets.export, {
      slug: 'cases',
      format: 'csv',
    })
    assert.equal(headers['content-disposition'], "attachment; filename*=UTF-8''cases.csv")
    assert.equal(
      text,
      [
        'question,data,idealOutput,name,metadata,split,labels',
        `'=cmd,"{""a"":[1]}",yes,one,"{""k"":1}",test,"hard, long"`,
        '"","""text""",,,,,',
        "''=x,,,,,,",
        '',
      ].join('\r\n'),
    )
  })

  it('200: as Parquet has a string in each cell, and null if there is no value', async () => {
    const { bytes } = await (await fillDataset()).call(datasets.export, { slug: 'cases', format: 'parquet' })
    const nothing = { idealOutput: null, name: null, metadata: null, split: null, labels: null }
    assert.deepEqual(await parquetReadObjects({ file: new Uint8Array(bytes).buffer }), [
      {
        question: '=cmd',
        data: '{"a":[1]}',
        idealOutput: 'yes',
        name: 'one',
        metadata: '{"k":1}',
        split: 'test',
        labels: 'hard, long',
      },
      { question: '', data: '"text"', ...nothing },
      { question: "'=x", data: null, ...nothing },
    ])
  })

  it('200: as CSV with a column named split or labels has only that column, and with a selection its rows', async () => {
    const workspace = await newWorkspace()
    const columns = [
      { name: 'split', type: 'text' },
      { name: 'labels', type: 'text' },
    ]
    await makeDataset(workspace, { columns })
    for (const split of ['train', 'test'])
      await workspace.ok(datasets.add, { slug: 'cases', values: { split: 'own', labels: 'x' }, split })
    const input = { slug: 'cases', format: 'csv', split: 'test' }
    const { text } = await workspace.call(datasets.export, input)
    assert.equal(text, 'split,labels,idealOutput,name,metadata\r\nown,x,,,\r\n')
  })

  it('400: the format does not exist, or the table would have two columns with one name', async () => {
    const workspace = await newWorkspace()
    await makeDataset(workspace, { columns: [{ name: 'name', type: 'text' }] })
    assert.match(await workspace.refused(datasets.export, { slug: 'cases', format: 'xml' }, 400), /^format: /)
    assert.match(
      await workspace.refused(datasets.export, { slug: 'cases', format: 'csv' }, 400),
      /^format: must be jsonl or json: the column "name"/,
    )
  })

  it('404: the dataset does not exist', async () => {
    const workspace = await newWorkspace()
    await workspace.refused(datasets.export, { slug: 'none', format: 'csv' }, 404)
  })
})
