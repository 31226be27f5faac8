import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type InputOf, operations } from '@plumbline/contract'
import { makeDataset, recordTrace, startTestApp } from '../../../testing/test-app.ts'
import { findSchemaProblem, findValueProblem } from './column-schema.ts'

const { add, append, change, collect, create, get, list, rows, update } = operations.datasets
const { newWorkspace, app } = await startTestApp()
const slug = 'cases'

type Columns = InputOf<typeof create>['columns']

const columns: Columns = [
  { name: 'tone', type: 'text', schema: { enum: ['kind', 'curt'] }, onMismatch: 'reject' },
  { name: 'steps', type: 'json', schema: { type: 'array', items: { type: 'integer' } } },
]

async function makeSetup() {
  const workspace = await newWorkspace()
  await makeDataset(workspace, { columns })
  return workspace
}

describe('a column schema', () => {
  it('200, 201: is stored with the column, and kept when the column is renamed', async () => {
    const workspace = await makeSetup()
    assert.deepEqual((await workspace.ok(list)).datasets[0]?.columns, columns)
    const { dataset } = await workspace.ok(update, { slug, renames: { tone: 'manner' } })
    assert.deepEqual(dataset.columns, [{ ...columns[0], name: 'manner' }, columns[1]])
    assert.deepEqual((await workspace.ok(get, { slug })).dataset.columns, dataset.columns)
  })

  it('400: must be one that columns support', async () => {
    const workspace = await makeSetup()
    const tryColumn = (schema: object) =>
      workspace.refused(update, { slug, columns: [{ name: 'a', type: 'text', schema }] }, 400)
    assert.match(await tryColumn({ pattern: 'a+' }), /^columns\[0\]\.schema: has the keyword "pattern"/)
    assert.match(await tryColumn({ items: { $ref: '#' } }), /"\$ref" at \/items/)
    assert.match(await tryColumn({ type: 'text' }), /"type", which must be one or more of string/)
    assert.match(await tryColumn({ title: 'a'.repeat(10_001) }), /over 10000 characters/)
    const choices = Array.from({ length: 26 }, () => ({}))
    const nested = { anyOf: choices, items: { properties: { a: { allOf: choices } } } }
    assert.match(await tryColumn(nested), /^columns\[0\]\.schema: must not have over 50 schemas in anyOf/)
    assert.match(
      await workspace.refused(
        create,
        { slug: 'b', name: 'B', columns: [{ name: 'a', type: 'text', schema: { enum: [] } }] },
        400,
      ),
      /^columns\[0\]\.schema: /,
    )
  })

  it('400: rejects values if it is set to, in every operation that adds or changes a row', async () => {
    const workspace = await makeSetup()
    const values = { tone: 'rude' }
    const problem = 'tone: must be one of "kind", "curt"'
    assert.equal(await workspace.refused(add, { slug, values }, 400), `values.${problem}`)
    assert.equal(
      await workspace.refused(append, { slug, rows: [{ values: { other: 1 } }, { values }] }, 400),
      `rows[1].values.${problem}`,
    )
    const { ids } = await workspace.ok(append, { slug, rows: [{ values: { tone: 'kind' } }] })
    assert.equal(await workspace.refused(change, { slug, id: ids[0]!, values }, 400), `values.${problem}`)
    const trace = await recordTrace(workspace, { input: { tone: 'rude' } })
    await app.flush()
    assert.equal(
      await workspace.refused(collect, { slug, sources: [{ traceId: trace.id }] }, 400),
      `sources[0].${problem}`,
    )
    assert.equal((await workspace.ok(rows, { slug })).rows.length, 1)
    await workspace.ok(change, { slug, id: ids[0]!, values: { tone: '' } })
  })

  it('201, 200: reports mismatches if it is set to warn, and returns them with the row', async () => {
    const workspace = await makeSetup()
    const values = { steps: [1, 'two'] }
    const warning = 'Some values do not match the schema of their column: steps [1] must be an integer.'
    assert.deepEqual(await workspace.ok(add, { slug, values }), { datasetRow: { values }, warning })
    const added = await workspace.ok(append, { slug, rows: [{ values: { tone: '' } }, { values }] })
    assert.deepEqual(
      [added.problems, added.warning],
      [[{ row: 1, column: 'steps', problem: '[1] must be an integer' }], warning],
    )
    const page = await workspace.ok(rows, { slug })
    const problems = { steps: '[1] must be an integer' }
    assert.deepEqual(
      page.rows.map((row) => row.problems),
      [problems, undefined, problems],
    )
    const id = page.rows[0]!.id
    const worse = await workspace.ok(change, { slug, id, values: { steps: {}, other: 1 } })
    assert.deepEqual(worse.row.problems, { steps: 'must be an array' })
    assert.match(worse.warning ?? '', /were omitted: other\. Some values do not match/)
    const better = await workspace.ok(change, { slug, id, values: { steps: [2] } })
    assert.deepEqual([better.row.problems, better.warning], [undefined, undefined])
  })
})

describe('JSON Schema', () => {
  const person = {
    type: 'object',
    properties: { name: { type: 'string', minLength: 2 }, age: { type: ['integer', 'null'], minimum: 0 } },
    required: ['name'],
    additionalProperties: false,
  }
  const expectations: readonly (readonly [schema: object, value: unknown, problem: string | undefined])[] = [
    [person, { name: 'Ada', age: null }, undefined],
    [person, {}, '.name is required'],
    [person, { name: '€' }, '.name must have at least 2 characters'],
    [person, { name: '😀' }, '.name must have at least 2 characters'],
    [person, { name: 'Ada', age: 1.5 }, '.age must be an integer or null'],
    [person, { name: 'Ada', age: -1 }, '.age must be at least 0'],
    [person, { name: 'Ada', constructor: 1 }, '.constructor must be absent'],
    [person, [], 'must be an object'],
    [{ items: { maximum: 3 }, maxItems: 2 }, [1, 4], '[1] must be at most 3'],
    [{ items: { maximum: 3 }, maxItems: 2 }, [1, 2, 3], 'must have at most 2 items'],
    [{ minItems: 1 }, [], 'must have at least 1 items'],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, 1, undefined],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, true, 'must be a string'],
    [{ allOf: [{ minimum: 1 }, { exclusiveMaximum: 3 }] }, 3, 'must be less than 3'],
    [{ const: { a: [1] } }, { a: [1] }, undefined],
    [{ const: { a: [1] } }, { a: [1], b: 2 }, 'must be {"a":[1]}'],
    [{ enum: [[1], { 0: 1 }, 'ab'] }, { 0: 1 }, undefined],
    [{ enum: [[1], 'ab'] }, { 0: 1 }, 'must be one of [1], "ab"'],
    [{ maxLength: 2 }, '😀😀', undefined],
    [{ maxLength: 2 }, '😀😀a', 'must have at most 2 characters'],
    [{ maxLength: 0 }, 'a', 'must have at most 0 characters'],
    [{ minLength: 3 }, '😀😀a', undefined],
    [{ enum: [1] }, '1', 'must be 1'],
    [{ maxLength: 1, format: 'email' }, 'ab', 'must have at most 1 characters'],
    [{ exclusiveMinimum: 0 }, 0, 'must be greater than 0'],
    [{ type: 'boolean' }, 'true', 'must be a boolean'],
  ]
  for (const [schema, value, problem] of expectations)
    it(`${JSON.stringify(schema)} for ${JSON.stringify(value)}: ${problem ?? 'matches'}`, () => {
      assert.equal(findSchemaProblem(schema), undefined)
      assert.equal(findValueProblem(schema, value), problem)
    })
})
