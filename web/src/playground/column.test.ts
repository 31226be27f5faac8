import assert from 'node:assert/strict'
import { it } from 'node:test'
import { firstColumn, nextColumn, readColumn, textsOfColumns, writeColumn } from './column.ts'

it('a column survives a round trip through the URL', () => {
  for (const column of [
    { connectionId: 'c', model: 'gpt-5' },
    { connectionId: 'c', model: 'a~b/c', version: '1.0~rc%' },
    { connectionId: 'c', model: '' },
  ])
    assert.deepEqual(readColumn(writeColumn(column)), column)
})

const connections = [
  { id: 'a', provider: 'open-ai', models: ['one'] },
  { id: 'b', provider: 'anthropic', models: ['two', 'three'] },
]

it('the first column is on the connection that offers the model, else on one of its provider', () => {
  const first = (model: string, provider = '') => firstColumn(connections, { model, provider })
  assert.deepEqual(first('three', 'open-ai'), { connectionId: 'b', model: 'three' })
  assert.deepEqual(first('four', 'anthropic'), { connectionId: 'b', model: 'four' })
  assert.deepEqual(first('unheard-of', 'mistral'), { connectionId: 'a', model: 'unheard-of' })
  assert.equal(firstColumn([], { model: 'one', provider: '' }), undefined)
})

it('an added column gets an unused model, and keeps the version', () => {
  const columns = [{ connectionId: 'b', model: 'two', version: '1' }]
  assert.deepEqual(nextColumn(columns, connections), { connectionId: 'b', model: 'three', version: '1' })
})

it('the templates of all columns are those of the draft and the selected versions', () => {
  const version = (name: string, text: string) => ({ version: name, text, systemText: '' })
  const versions = [version('2', '{{ new }}'), version('1', '{{ old }}')]
  const columns = [
    { connectionId: 'a', model: '' },
    { connectionId: 'a', model: '', version: '1' },
  ]
  const draft = { text: '', systemText: '', messages: [{ placeholder: 'history' }] }
  assert.deepEqual(textsOfColumns(draft, columns, versions).messages, [
    { placeholder: 'history' },
    { role: 'user', content: '{{ old }}' },
  ])
})
