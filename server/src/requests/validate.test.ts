import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allOperations, operations, ServiceError } from '@plumbline/contract'
import { makeValidator } from './validate.ts'

test('the schema of every operation compiles, which the service would find out only with the first request', () => {
  for (const operation of allOperations) {
    const validate = makeValidator(operation)
    try {
      validate({ params: {}, query: {}, body: {} })
    } catch (error) {
      assert.ok(error instanceof ServiceError, `${operation.name}: ${error}`)
      assert.equal(error.code, 'invalid_request', operation.name)
    }
  }
  assert.ok(allOperations.length > 200)
})

test('an unknown query parameter is refused, with the name that was probably meant', () => {
  const { traces, alerts, features, annotationQueues } = operations
  const problems = [
    [traces.list, { featureslug: 'chat' }, 'featureslug: is unknown; did you mean featureSlug?'],
    [traces.list, { 'metadata.': 'x' }, 'metadata.: is unknown; did you mean metadata.KEY?'],
    [traces.list, { '': 'x' }, /^query: is none of featureSlug, /],
    [traces.list, { ['x'.repeat(5000)]: 'x' }, /^x{200}: is none of featureSlug, .*, metadata\.KEY$/],
    [traces.list, JSON.parse('{"__proto__":"x"}'), /^__proto__: is none of /],
    [traces.list, { colour: ['red', 'blue'] }, /^colour: is none of featureSlug, /],
    [traces.get, { id: 'x' }, 'id: is unknown: there are no query parameters here'],
    [annotationQueues.items, { stauts: 'open' }, 'stauts: is unknown; did you mean status?'],
    [alerts.delete, { dryRun: 'true' }, 'dryRun: is unknown: there are no query parameters here'],
    [features.create, { slug: 'chat' }, 'slug: is unknown: there are no query parameters here'],
  ] as const
  for (const [operation, query, problem] of problems) {
    const params = { id: 'a', slug: 'a' }
    const body = { slug: 'chat', name: 'Chat' }
    assert.throws(() => makeValidator(operation)({ params, query, body }), {
      code: 'invalid_request',
      message: problem,
    })
  }
})

test('known query parameters are accepted, and operations with foreign clients ignore unknown ones', () => {
  const query = { 'metadata.tenant': 'a', 'metadata.a.b': 'c', featureSlug: 'chat', limit: '5' }
  assert.deepEqual(
    makeValidator(operations.traces.list)({ params: {}, query: { ...query }, body: undefined }),
    {
      ...query,
      limit: 5,
    },
  )
  const tolerant = allOperations.filter(({ ignoresUnknownQuery }) => ignoresUnknownQuery)
  assert.deepEqual(tolerant.map(({ name }) => name).sort(), [
    'datasets.get',
    'monitor.log',
    'monitor.trace',
    'prompts.get',
    'prompts.list',
  ])
  for (const operation of tolerant)
    makeValidator(operation)({
      params: { slug: 'chat' },
      query: { featureslug: 'x', colour: 'red' },
      body: { slug: 'chat', output: 'Hi' },
    })
})

test('a number in a URL is finite', () => {
  const validate = makeValidator(operations.traces.list)
  for (const text of ['Infinity', '-Infinity', '1e400', '-1e400'])
    assert.throws(() => validate({ params: {}, query: { minCost: text }, body: undefined }), {
      message: 'minCost: must be a finite number',
    })
  assert.deepEqual(validate({ params: {}, query: { minCost: '1e300' }, body: undefined }), { minCost: 1e300 })
})
