import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readBlock, writeBlock } from './block.ts'
import { changedRow, fieldsOf, inverseOf, readText, textOf, valuesOrEmpty, withoutChanges } from './fields.ts'
import { placeAfter, tabbedPlace } from './moves.ts'
import { planPaste } from './plan-paste.ts'

const fields = fieldsOf([
  { name: 'question', type: 'text' },
  { name: 'context', type: 'json' },
])
const [question, context, idealOutput, , metadata] = fields as [
  (typeof fields)[number],
  (typeof fields)[number],
  (typeof fields)[number],
  (typeof fields)[number],
  (typeof fields)[number],
]
const row = { id: 'r1', values: { question: 'Why?', context: { a: [1] } }, createdAt: '2026-01-01T00:00:00Z' }

describe('a block of cells', () => {
  it('is read in the format of spreadsheets, with quoted tabs and line breaks', () => {
    assert.deepEqual(readBlock('a\t"b\nc"\r\n"say ""hi"""\t\r\n'), [
      ['a', 'b\nc'],
      ['say "hi"', ''],
    ])
    assert.deepEqual(readBlock('5" disk\t"open'), [['5" disk', '"open']])
    assert.deepEqual(readBlock('\n\nx'), [[''], [''], ['x']])
  })

  it('survives a round trip', () => {
    const block = [
      ['plain', 'with\ttab', ''],
      ['"quoted" start', 'line\nbreak', 'שלום 🎉'],
    ]
    assert.deepEqual(readBlock(writeBlock(block)), block)
  })
})

describe('the fields of a row', () => {
  it('show texts as they are and everything else as JSON', () => {
    assert.deepEqual(
      [textOf(row, question), textOf(row, context), textOf(row, idealOutput)],
      ['Why?', '{"a":[1]}', ''],
    )
  })

  it('read JSON, and report problems in it', () => {
    assert.deepEqual(readText('[1, 2]', context), { value: [1, 2] })
    assert.deepEqual(readText('', context), { value: null })
    assert.ok('problem' in readText('{', context))
    assert.deepEqual(readText('[]', metadata), { problem: 'Metadata must be a JSON object.' })
    assert.deepEqual(readText('', idealOutput), { value: null })
  })

  it('change, and change back', () => {
    const changes = [
      { field: question, value: 'How?' },
      { field: idealOutput, value: 'So.' },
    ]
    const nextRow = changedRow(row, changes)
    assert.deepEqual(nextRow, { ...row, values: { ...row.values, question: 'How?' }, idealOutput: 'So.' })
    assert.deepEqual(changedRow(nextRow, inverseOf(row, changes)), row)
  })
})

describe('the values of a new row', () => {
  it('default to an empty first column', () => {
    assert.deepEqual(valuesOrEmpty({ context: 5 }, fields), { context: 5 })
    assert.deepEqual(valuesOrEmpty({}, fields), { question: '' })
    assert.deepEqual(valuesOrEmpty({}, fieldsOf([{ name: 'context', type: 'json' }])), { context: null })
    assert.deepEqual(valuesOrEmpty({}, fieldsOf([])), {})
  })
})

describe('pasting', () => {
  const corner = { top: 0, bottom: 0, left: 0, right: 0 }

  it('changes existing rows, and adds rows beyond the last one', () => {
    const plan = planPaste(readBlock('How?\t{"b":2}\nWho?\t5'), corner, fields, [row])
    assert.deepEqual(
      plan.changes.map(({ changes }) => changes.map(({ value }) => value)),
      [['How?', { b: 2 }]],
    )
    assert.deepEqual(plan.newRows, [{ values: { question: 'Who?', context: 5 } }])
    assert.deepEqual([plan.problems, plan.lostCount <= 0], [[], true])
  })

  it('adds no row for an empty line', () => {
    const plan = planPaste([['How?'], [''], ['', ''], ['Who?']], corner, fields, [row])
    assert.deepEqual(plan.newRows, [{ values: { question: 'Who?' } }])
  })

  it('reports invalid cells and surplus columns', () => {
    const plan = planPaste([['x', '{bad', '', '', '{}', 'test', 'a, b', 'more']], corner, fields, [row])
    assert.deepEqual(
      plan.problems.map(({ line, column }) => [line, column]),
      [[1, 'context']],
    )
    assert.equal(plan.lostCount, 1)
  })

  it('fills the whole area with a single cell, and skips unchanged cells', () => {
    const plan = planPaste([['Why?']], { ...corner, right: 0, bottom: 1 }, fields, [
      row,
      { ...row, id: 'r2', values: {} },
    ])
    assert.deepEqual(
      plan.changes.map(({ row: { id } }) => id),
      ['r2'],
    )
  })
})

describe('keys in the grid', () => {
  const extent = { rows: 3, columns: 2, pageRows: 10 }

  it('move within the edges', () => {
    assert.deepEqual(placeAfter({ key: 'ArrowUp', isMod: false }, { row: 0, column: 1 }, extent), {
      row: 0,
      column: 1,
    })
    assert.deepEqual(placeAfter({ key: 'End', isMod: true }, { row: 0, column: 0 }, extent), {
      row: 2,
      column: 1,
    })
    assert.equal(placeAfter({ key: 'q', isMod: false }, { row: 0, column: 0 }, extent), undefined)
  })

  it('tab through the cells, and leave the grid at its ends', () => {
    assert.deepEqual(tabbedPlace({ row: 0, column: 1 }, 1, extent), { row: 1, column: 0 })
    assert.equal(tabbedPlace({ row: 0, column: 0 }, -1, extent), undefined)
    assert.equal(tabbedPlace({ row: 2, column: 1 }, 1, extent), undefined)
  })
})

it('failed changes of a row are reverted, but not later edits', () => {
  const before = { ...row, problems: { question: 'is too short' } }
  const failed = [
    { field: question, value: 'How?' },
    { field: idealOutput, value: 'So.' },
  ]
  const meanwhile = changedRow(changedRow(before, failed), [{ field: metadata, value: { a: 1 } }])
  assert.deepEqual(withoutChanges(meanwhile, failed, before), { ...before, metadata: { a: 1 } })
  const typedAgain = changedRow(meanwhile, [{ field: question, value: 'When?' }])
  assert.equal(withoutChanges(typedAgain, failed, before).values.question, 'When?')
  // It has no value again, which the service distinguishes from an empty text.
  const empty = { ...row, values: {} }
  assert.equal(withoutChanges(changedRow(empty, failed), failed, empty).values.question, undefined)
})
