import assert from 'node:assert/strict'
import { it } from 'node:test'
import { filterInput } from './filter-input.ts'
import { nextAbove } from './filter-number.ts'
import { readFilter } from './filter-text.ts'

const inputOf = (text: string) => {
  const { where, ...rest } = filterInput(readFilter(text))
  return { ...rest, ...(where !== undefined && { where: JSON.parse(where) as unknown }) }
}

it('a single value of a field becomes its own parameter', () => {
  assert.deepEqual(inputOf('feature:chat type:tool name:"a b" hasError:true'), {
    featureSlug: 'chat',
    type: 'tool',
    name: 'a b',
    hasError: true,
  })
})

it('users and customers match by name as well as by id', () => {
  assert.deepEqual(inputOf('user:ada organization:"Paper & Co",org_1 -user:bob').where, [
    { field: 'user', named: ['ada'] },
    { field: 'organization', named: ['Paper & Co', 'org_1'] },
    { field: 'user', not: ['bob'] },
  ])
})

it('an equals sign matches only the id, so that ada does not match adam', () => {
  assert.deepEqual(inputOf('user=ada organization=o1,o2 model=gpt'), {
    userId: 'ada',
    model: 'gpt',
    where: [{ field: 'organization', is: ['o1', 'o2'] }],
  })
})

it('a word may match part of a word', () => {
  assert.deepEqual(inputOf('refun* *fund* a.b'), { q: 'refun* *fund* "a.b"' })
})

it('a field is also accepted by its parameter name in the contract', () => {
  assert.deepEqual(inputOf('sessionId:s durationMs>1s hasError:true -hasError:false'), {
    sessionId: 's',
    hasError: true,
    where: [
      { field: 'durationMs', min: nextAbove(1000) },
      { field: 'hasError', is: ['true'] },
    ],
  })
})

it('recorded fields are typed by their names', () => {
  assert.deepEqual(
    inputOf('environment:production release:2.0 tag:beta tag:eu -tag:* timeToFirstToken>=2s'),
    {
      environment: 'production',
      release: '2.0',
      tag: 'beta',
      where: [
        { field: 'tag', is: ['eu'] },
        { field: 'tag', exists: false },
        { field: 'timeToFirstTokenMs', min: 2000 },
      ],
    },
  )
})

it('traces sampled for an evaluator can be found', () => {
  assert.deepEqual(inputOf('evaluator:kindness sampled:true'), {
    sampled: true,
    where: [{ field: 'evaluator', is: ['kindness'] }],
  })
  assert.deepEqual(inputOf('-sampled:true'), { sampled: false })
})

it('everything else becomes a condition', () => {
  assert.deepEqual(
    inputOf('model:a,b model:c -user:x metadata.env:prod -session:* cost>=1 duration<=2s type:none'),
    {
      model: 'c',
      where: [
        { field: 'model', is: ['a', 'b'] },
        { field: 'user', not: ['x'] },
        { field: 'metadata.env', is: ['prod'] },
        { field: 'session', exists: false },
        { field: 'cost', min: 1 },
        { field: 'durationMs', max: 2000 },
        { field: 'type', is: ['none'] },
      ],
    },
  )
})

it('an exclusive bound starts at the next number', () => {
  const [costCondition, errorCondition] = inputOf('cost>0.01 errors<1').where as [
    { min: number },
    { max: number },
  ]
  assert.ok(costCondition.min > 0.01 && costCondition.min < 0.010000000001)
  assert.ok(errorCondition.max < 1 && errorCondition.max > 0.9999999999)
})

it('words are searched for as typed, phrases in quotes', () => {
  assert.deepEqual(inputOf('refund "exact words" "12:30"'), { q: 'refund "exact words" "12:30"' })
})
