import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkRecords, columnsAfter, fieldNames, mapField, suggestMapping } from './mapping.ts'
import { importParts, partsOf } from './parts.ts'
import { readFile } from './read-file.ts'

const columns = [
  { name: 'Question', type: 'text' as const },
  { name: 'context', type: 'json' as const },
]
const readText = (text: string, name: string) => readFile(new File([text], name), () => undefined)

describe('the file of an import', () => {
  it('is CSV, JSON lines, JSON or TSV by its name, and an empty cell is no value', async () => {
    const expected = [{ fields: { a: '1', b: 'x' } }, { fields: { b: '' } }]
    assert.deepEqual((await readText('\ufeffa,b\r\n1,x\r\n,""\r\n', 'x.csv')).records, expected)
    assert.deepEqual((await readText('a\tb\n1\tx\n\n\ty\n\n', 'x.tsv')).records, [
      expected[0],
      { fields: { b: 'y' } },
    ])
    const lines = '{"values":{"a":1},"name":"n"}\n{"a":2}'
    const objects = [{ fields: { name: 'n', a: 1 } }, { fields: { a: 2 } }]
    assert.deepEqual((await readText(lines, 'x.jsonl')).records, objects)
    assert.deepEqual((await readText(`[${lines.replace('\n', ',')}]`, 'x.json')).records, objects)
  })

  it('keeps whole numbers beyond double precision as texts', async () => {
    const id = '{"id":12345678901234567891}'
    const values = { id: '12345678901234567891' }
    assert.deepEqual((await readText(`{"context":${id}}`, 'x.jsonl')).records, [
      { fields: { context: values } },
    ])
    const content = await readText(`context\tmetadata\n${id}\t${id}\n`, 'x.tsv')
    const mapping = new Map([
      ['context', 'column:context'],
      ['metadata', 'metadata'],
    ] as const)
    assert.deepEqual(checkRecords(content, mapping, columns).rows, [
      { values: { context: values }, metadata: values },
    ])
  })

  it('may be CSV with semicolons or tabs, where a decimal comma stays text', async () => {
    const expected = [{ fields: { Frage: 'Warum?', Preis: '1,5' } }]
    for (const separator of [';', '\t'])
      assert.deepEqual(
        (await readText(`Frage${separator}Preis\r\nWarum?${separator}1,5\r\n`, 'x.csv')).records,
        expected,
      )
  })

  it('is UTF-8, or UTF-16 as Excel writes it; invalid characters are never replaced', async () => {
    const read = (bytes: Buffer<ArrayBuffer>, name: string) =>
      readFile(new File([bytes], name), () => undefined)
    const text = '\ufeffGröße\tNote\r\n名\tgut\r\n'
    for (const name of ['x.csv', 'x.tsv', 'x.txt'])
      assert.deepEqual((await read(Buffer.from(text, 'utf16le'), name)).records, [
        { fields: { Größe: '名', Note: 'gut' } },
      ])
    await assert.rejects(read(Buffer.from('Größe;Note\n1;gut\n', 'latin1'), 'x.csv'), /not UTF-8/)
  })

  it('with a duplicate column reports it instead of dropping one', async () => {
    for (const name of ['x.csv', 'x.tsv'])
      await assert.rejects(readText('a\tb\ta\n1\t2\t3\n', name), /the header has "a" more than once/)
  })

  it('reports a line with too few cells', async () => {
    const { records } = await readText('a,b\n1\n', 'x.csv')
    assert.deepEqual(records, [{ problem: 'has 1 cell, but the header has 2' }])
  })
})

describe('the mapping', () => {
  it('is suggested by the names, regardless of their spelling', async () => {
    const content = await readText('question,expected_output,note\nWhy?,So.,n\n', 'x.csv')
    const mapping = suggestMapping(fieldNames(content), columns)
    assert.deepEqual([...mapping.values()], ['column:Question', 'idealOutput', 'skip'])
    const further = mapField(mapping, 'note', 'metadata')
    assert.deepEqual(checkRecords(content, further, columns).rows, [
      { values: { Question: 'Why?' }, idealOutput: 'So.', metadata: { note: 'n' } },
    ])
  })

  it('reads the split and the labels of a row, in a cell and in JSON', async () => {
    const cells = await readText(
      'Question,split,labels\nWhy?,test,"hard, two words"\nHow?,,\nWho?,"a,b",\n',
      'x.csv',
    )
    const checked = checkRecords(cells, suggestMapping(fieldNames(cells), columns), columns)
    assert.deepEqual(checked.rows, [
      { values: { Question: 'Why?' }, split: 'test', labels: ['hard', 'two words'] },
      { values: { Question: 'How?' } },
    ])
    assert.deepEqual(checked.problems, [{ row: 3, text: '"split" is not a split' }])
    const line = await readText('{"values":{"Question":"Why?"},"split":"test","labels":["hard"]}', 'x.jsonl')
    assert.deepEqual(checkRecords(line, suggestMapping(fieldNames(line), columns), columns).rows, [
      { values: { Question: 'Why?' }, split: 'test', labels: ['hard'] },
    ])
  })

  it('maps at most one field to a column', () => {
    const mapping = new Map([
      ['a', 'column:Question' as const],
      ['b', 'skip' as const],
    ])
    assert.deepEqual([...mapField(mapping, 'b', 'column:Question').values()], ['skip', 'column:Question'])
  })

  it('creates columns from the fields if there are none, as JSON for non-text values', async () => {
    const content = await readText('{"q":"Why?","c":{"a":1}}\n{"q":null,"c":null}', 'x.jsonl')
    const mapping = suggestMapping(fieldNames(content), [])
    assert.deepEqual(columnsAfter([], mapping, content), [
      { name: 'q', type: 'text' },
      { name: 'c', type: 'json' },
    ])
  })

  it('treats an empty cell as missing JSON, even if every cell is quoted', async () => {
    for (const [text, name] of [
      ['"Question","context","metadata"\n"Why?","",""\n', 'x.csv'],
      ['Question\tcontext\tmetadata\nWhy?\t\t\n', 'x.tsv'],
    ] as const) {
      const content = await readText(text, name)
      const mapping = suggestMapping(fieldNames(content), columns)
      assert.deepEqual(checkRecords(content, mapping, columns), {
        rows: [{ values: { Question: 'Why?' } }],
        problems: [],
      })
    }
  })

  it('reports invalid rows by number', async () => {
    const content = await readText('Question,context\nWhy?,{}\nHow?,{oops\n,\n', 'x.csv')
    const checked = checkRecords(content, suggestMapping(fieldNames(content), columns), columns)
    assert.deepEqual(checked.rows, [{ values: { Question: 'Why?', context: {} } }])
    assert.deepEqual(checked.problems, [
      { row: 2, text: '"context" is not valid JSON: {oops' },
      { row: 3, text: 'has no values' },
    ])
  })
})

describe('the written parts', () => {
  it('have at most 500 rows, and fit into a request', () => {
    const rows = Array.from({ length: 1001 }, (_, index) => ({ values: { index } }))
    assert.deepEqual(
      partsOf(rows).map(({ length }) => length),
      [500, 500, 1],
    )
    const large = Array.from({ length: 3 }, () => ({ values: { text: 'x'.repeat(600_000) } }))
    assert.deepEqual(
      partsOf(large).map(({ length }) => length),
      [1, 1, 1],
    )
  })

  it('have the same rows and keys when an import resumes', () => {
    const rows = Array.from({ length: 1200 }, (_, index) => ({ values: { index } }))
    const all = importParts(rows, 0, 'an import')
    assert.deepEqual(importParts(rows, 500, 'an import'), all.slice(1))
    assert.equal(new Set(all.map(({ key }) => key)).size, 3)
    assert.notEqual(importParts(rows, 0, 'another')[0]?.key, all[0]?.key)
  })
})

it("a file with none of the dataset's columns adds its own", () => {
  const columns = [{ name: 'input', type: 'text' as const }]
  assert.deepEqual(
    [...suggestMapping(['question', 'answer', 'source'], columns)],
    [
      ['question', 'newColumn'],
      ['answer', 'idealOutput'],
      ['source', 'newColumn'],
    ],
  )
  assert.deepEqual([...suggestMapping(['Input', 'source'], columns)].at(-1), ['source', 'skip'])
})
