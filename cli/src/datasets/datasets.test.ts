import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { operations } from '@plumbline/contract'
import fc from 'fast-check'
import { fates, startProxy, startService } from '../../../sdk/src/testing.ts'
import { makeDataset } from '../../../server/testing/test-app.ts'
import { emptyFolder, makeShell } from '../testing.ts'
import { readJsonRows } from './json-rows.ts'

const { url, workspace } = await startService()
const shell = makeShell(url, workspace.key.secret)
const folder = emptyFolder()
const columns = [
  { name: 'question', type: 'text' },
  { name: 'facts', type: 'json' },
]
const make = (slug: string) => makeDataset(workspace, { slug, columns })
const rowsOf = async (slug: string) => (await workspace.ok(operations.datasets.get, { slug })).dataset.rows
const file = (name: string, text?: string): string => {
  const path = join(folder, name)
  if (text !== undefined) writeFileSync(path, text)
  return path
}

it('CSV with different column titles is imported with a mapping, after a dry run that writes nothing', async () => {
  await make('mapped')
  const faelle = file(
    'faelle.csv',
    '\ufeffFrage,facts,answer,Rest\r\n"Why, ""though""?","{""a"":[1]}",Because,x\r\nWho?,,,\r\n',
  )
  const words = ['datasets', 'import', 'mapped', faelle, '--map', 'question=Frage', '--ideal', 'answer']
  const tried = await shell(...words, '--dry-run')
  assert.deepEqual([tried.status, tried.stdout], [0, '2 rows can be imported.\n'])
  assert.match(tried.stderr, /without a matching column: Rest/)
  assert.deepEqual(await rowsOf('mapped'), [])
  assert.match((await shell(...words)).stdout, /Added 2 rows/)
  assert.deepEqual(await rowsOf('mapped'), [
    { values: { question: 'Why, "though"?', facts: { a: [1] } }, idealOutput: 'Because' },
    { values: { question: 'Who?' } },
  ])
  assert.match((await shell(...words)).stdout, /Added 0 rows.* 2 were already added/)
  assert.equal((await rowsOf('mapped')).length, 2)
})

it('CSV with semicolons is imported, and CSV with a repeated column name is rejected', async () => {
  await make('semicolons')
  const semicolons = file('semicolons.csv', '\ufeffquestion;answer\r\n"Why; though?";1,5\r\n')
  assert.match(
    (await shell('datasets', 'import', 'semicolons', semicolons, '--ideal', 'answer')).stdout,
    /Added 1 rows/,
  )
  assert.deepEqual(await rowsOf('semicolons'), [{ values: { question: 'Why; though?' }, idealOutput: '1,5' }])
  const twice = file('twice.csv', 'question,answer,answer\nHow?,a,b\n')
  const { status, stderr } = await shell('datasets', 'import', 'semicolons', twice)
  assert.equal(status, 1)
  assert.match(stderr, /cannot be read as csv: the header has "answer" more than once\./)
})

it('rows are imported again into a dataset that was deleted and created again', async () => {
  const path = file('anew.csv', 'question\na\nb\n')
  for (const _try of [1, 2]) {
    await make('anew')
    const done = await shell('datasets', 'import', 'anew', path)
    assert.equal(done.stdout, 'Added 2 rows; "anew" now has 2.\n', done.stderr)
    await workspace.ok(operations.datasets.delete, { slug: 'anew' })
  }
})

it('an empty text in a JSON column is no value: programs that quote every cell write it', async () => {
  await make('quoted')
  const table = '"question","facts","metadata"\n"Why?","",""\n"","[1]","{}"\n'
  const done = await shell('datasets', 'import', 'quoted', file('quoted.csv', table))
  assert.equal(done.status, 0, done.stderr)
  assert.deepEqual(await rowsOf('quoted'), [
    { values: { question: 'Why?' } },
    { values: { question: '', facts: [1] }, metadata: {} },
  ])
})

it('invalid rows are reported one by one, and nothing is written', async () => {
  await make('refused')
  const bad = file('bad.csv', 'question,facts\nfine,1\ntoo,many,cells\nbroken,{\n')
  const { status, stderr } = await shell('datasets', 'import', 'refused', bad)
  assert.equal(status, 1)
  assert.match(stderr, /Row 2: has 3 cells/)
  assert.match(stderr, /Row 3: "facts" is not valid JSON/)
  assert.match(stderr, /2 of 3 rows cannot be imported; nothing was written\./)
  assert.deepEqual(await rowsOf('refused'), [])
  assert.equal((await shell('datasets', 'import', 'refused', bad, '--map', 'answer=x')).status, 1)
  assert.equal((await shell('datasets', 'import', 'refused', bad, '--map', 'answer')).status, 2)
  assert.equal((await shell('datasets', 'import', 'refused', file('none.csv'))).status, 1)
  assert.equal((await shell('datasets', 'import', 'unknown', bad)).status, 1)
})

it('an export can be imported again unchanged, in every format', async () => {
  await make('source')
  const rows = [
    { values: { question: 'Line\none, "two"', facts: [1, { rows: '[' }] }, name: 'a', metadata: { x: 1 } },
    { values: { question: '' }, idealOutput: 'None', split: 'test', labels: ['hard', 'two words'] },
  ]
  for (const row of rows) await workspace.ok(operations.datasets.add, { slug: 'source', ...row })
  for (const format of ['csv', 'jsonl', 'json', 'parquet']) {
    const path = file(`out.${format}`)
    const done = await shell('datasets', 'export', 'source', path)
    assert.equal(done.stdout, `2 rows are in ${path}.\n`, done.stderr)
    await make(`copy-${format}`)
    assert.equal((await shell('datasets', 'import', `copy-${format}`, path)).status, 0)
    assert.deepEqual(await rowsOf(`copy-${format}`), rows)
  }
  assert.equal((await shell('datasets', 'export', 'source')).stdout, readFileSync(file('out.jsonl'), 'utf8'))
})

it('texts and integers are imported exactly, whatever the name of their column', async () => {
  for (const [format, name] of [
    ['csv', '__proto__'],
    ['jsonl', '__proto__'],
    ['json', '__proto__'],
    ['parquet', 'text'],
  ] as const) {
    const columns = [
      { name, type: 'text' as const },
      { name: 'ids', type: 'json' as const },
    ]
    const values = Object.fromEntries<unknown>([
      [name, '\ufeffx'],
      ['ids', [2 ** 60]],
    ])
    const [slug, copy] = [`exact-${format}`, `exact-${format}-copy`]
    const path = file(`exact.${format}`)
    for (const each of [slug, copy])
      await workspace.ok(operations.datasets.create, { slug: each, name: 'Exact', columns })
    await workspace.ok(operations.datasets.add, { slug, values })
    assert.equal((await shell('datasets', 'export', slug, path)).status, 0)
    assert.equal((await shell('datasets', 'import', copy, path)).status, 0)
    assert.deepEqual(await rowsOf(copy), [{ values }], format)
  }
  await make('digits')
  const lines = '{"question":"a","facts":12345678901234567891}\n'
  assert.equal((await shell('datasets', 'import', 'digits', file('digits.jsonl', lines))).status, 0)
  const table = 'question,facts\nb,"{""id"":-9007199254740993}"\n'
  assert.equal((await shell('datasets', 'import', 'digits', file('digits.csv', table))).status, 0)
  assert.deepEqual(await rowsOf('digits'), [
    { values: { question: 'a', facts: '12345678901234567891' } },
    { values: { question: 'b', facts: { id: '-9007199254740993' } } },
  ])
})

it('a JSON export distinguishes columns named like a part of a row from that part', async () => {
  const columns = ['name', 'idealOutput', 'values'].map((name) => ({ name, type: 'json' as const }))
  const rows = [
    { values: { name: 'Ada', values: { name: 'x' } } },
    { values: { name: null, idealOutput: 'of the column' }, name: 'of the row', idealOutput: 'of the row' },
  ]
  await workspace.ok(operations.datasets.create, { slug: 'parts', name: 'Parts', columns })
  for (const row of rows) await workspace.ok(operations.datasets.add, { slug: 'parts', ...row })
  for (const format of ['jsonl', 'json']) {
    const slug = `parts-${format}`
    const path = file(`${slug}.${format}`)
    assert.equal((await shell('datasets', 'export', 'parts', path)).status, 0)
    await workspace.ok(operations.datasets.create, { slug, name: 'Copy', columns })
    assert.equal((await shell('datasets', 'import', slug, path)).status, 0)
    assert.deepEqual(await rowsOf(slug), rows)
  }
})

it('rows and exports can be limited to a version, a split, a label or a search, and versions are listed', async () => {
  await make('marked')
  const { ids } = await workspace.ok(operations.datasets.append, {
    slug: 'marked',
    rows: [
      { values: { question: 'a' }, split: 'train' },
      { values: { question: 'b' }, split: 'test', labels: ['hard'] },
    ],
  })
  await workspace.ok(operations.datasetVersions.create, { slug: 'marked', note: 'Both' })
  await workspace.ok(operations.datasets.discard, { slug: 'marked', ids: [ids[0]!] })
  const questions = async (...words: string[]) =>
    (await shell.json<{ values: { question: string } }[]>('datasets', 'rows', 'marked', ...words)).map(
      ({ values }) => values.question,
    )
  assert.deepEqual(await questions(), ['b'])
  assert.deepEqual(await questions('--version', '1'), ['a', 'b'])
  assert.deepEqual(await questions('--version', '1', '--limit', '1'), ['a'])
  assert.deepEqual(await questions('--version', '1', '--split', 'train'), ['a'])
  assert.deepEqual(await questions('--version', '1', '--label', 'hard'), ['b'])
  assert.deepEqual(await questions('--version', '1', '--search', 'TRAI'), ['a'])
  const table = await shell('datasets', 'rows', 'marked', '--version', '1', '--limit', '1')
  assert.match(table.stdout, /^id +question +idealOutput +split +labels\n.* a +train$/m)
  assert.match(table.stderr, /first 1 rows/)
  assert.match((await shell('datasets', 'versions', 'marked')).stdout, /^1 +2 +\S+ +Both$/m)
  const path = file('marked.jsonl')
  const exported = await shell('datasets', 'export', 'marked', path, '--version', '1', '--split', 'train')
  assert.equal(exported.stdout, `The rows are in ${path}.\n`)
  assert.equal(readFileSync(path, 'utf8'), '{"values":{"question":"a"},"split":"train"}\n')
  assert.equal((await shell('datasets', 'rows', 'marked', '--version', '0')).status, 2)
  assert.match((await shell('datasets', 'rows', 'marked', '--version', '9')).stderr, /no version 9/)
})

it('labels that the service would reject are reported before anything is written', async () => {
  await make('labelled')
  const bad = file('labels.csv', 'question,split,labels\na,test,"hard, two words"\nb,"a,b",\nc,,"x""y"\n')
  const { stderr } = await shell('datasets', 'import', 'labelled', bad)
  assert.match(stderr, /Row 2: "split" must be/)
  assert.match(stderr, /Row 3: each of "labels" must be/)
  assert.deepEqual(await rowsOf('labelled'), [])
})

it('a truncated response leaves no file, and an interrupted import can be repeated', async () => {
  await make('broken')
  const proxy = await startProxy(url)
  const proxyShell = makeShell(proxy.url, workspace.key.secret)
  proxy.fate(fates.pass, fates.pass, (response) => {
    response.writeHead(200, { 'content-length': 100 }).write('{"values":{}}\n{"val', () => response.destroy())
  })
  const cut = await proxyShell('datasets', 'export', 'broken', file('cut.jsonl'))
  assert.equal(cut.status, 1)
  assert.match(cut.stderr, /is not complete/)
  assert.ok(!existsSync(file('cut.jsonl')))

  const three = file('three.jsonl', '{"question":"1"}\n{"question":"2"}\n{"question":"3"}\n')
  proxy.fate(fates.pass, fates.pass, fates.pass, fates.loseAnswer)
  const brokenImport = await proxyShell('datasets', 'import', 'broken', three)
  assert.equal(brokenImport.status, 1)
  assert.match(brokenImport.stderr, /stopped after 1 of 3 rows/)
  assert.equal((await proxyShell('datasets', 'import', 'broken', three)).status, 0)
  assert.deepEqual(
    (await rowsOf('broken')).map(({ values }) => values.question),
    ['1', '2', '3'],
  )
})

async function* cutAnywhere(text: string, index: number): AsyncGenerator<string> {
  yield text.slice(0, index)
  yield text.slice(index)
}

it('JSON rows are read correctly in any chunks', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.dictionary(fc.string(), fc.jsonValue())),
      fc.nat(),
      async (rows, cutIndex) => {
        for (const document of [rows, { dataset: { columns: [{ name: 'rows' }], rows } }]) {
          const text = JSON.stringify(document)
          const read: unknown[] = []
          for await (const row of readJsonRows(cutAnywhere(text, cutIndex % (text.length + 1))))
            read.push(JSON.parse(row))
          assert.deepEqual(JSON.stringify(read), JSON.stringify(rows))
        }
      },
    ),
  )
})
