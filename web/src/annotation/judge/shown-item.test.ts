import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { StoredTrace } from '@plumbline/sdk'
import { shownItem } from './shown-item.ts'

const log = (fields: object) => ({ name: null, input: null, output: null, idealOutput: null, ...fields })
/** Safe: only these fields are read. */
const traceOf = (fields: object): StoredTrace =>
  ({
    name: 'Chat',
    input: null,
    output: null,
    idealOutput: null,
    logs: [],
    ...fields,
  }) as unknown as StoredTrace

describe('the shown parts of an item', () => {
  const logs = [
    log({ id: 'r', type: 'retrieval', name: 'search', output: ['a'] }),
    log({ id: 'empty', type: 'retrieval' }),
    log({ id: 'g', type: 'generation', input: 'first', output: 'draft' }),
    log({ id: 'h', type: 'generation', input: 'second', output: 'last', idealOutput: 'ideal' }),
  ]

  it('are its own input and output, with the retrieved context', () => {
    const content = shownItem(traceOf({ input: 'in', output: 'out', logs }), null)
    assert.deepEqual([content?.name, content?.input, content?.output], ['Chat', 'in', 'out'])
    assert.deepEqual(content?.context, [{ id: 'r', name: 'search', value: ['a'] }])
  })

  it('are the first input and last output of its generations if it has none of its own', () => {
    const content = shownItem(traceOf({ logs }), null)
    assert.deepEqual([content?.input, content?.output, content?.idealOutput], ['first', 'last', null])
  })

  it('are those of the log if a log is judged, and nothing if the log is gone', () => {
    const content = shownItem(traceOf({ input: 'in', logs }), 'h')
    assert.deepEqual([content?.name, content?.input, content?.idealOutput], ['generation', 'second', 'ideal'])
    assert.equal(shownItem(traceOf({ logs }), 'x'), undefined)
  })
})
