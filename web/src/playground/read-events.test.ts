import assert from 'node:assert/strict'
import { it } from 'node:test'
import { makeEventReader } from './read-events.ts'

it('events are complete regardless of how the stream is split', () => {
  const stream = ': hello\n\ndata: {"type":"text","text":"a\\nb"}\n\ndata: {"type":"done"}\n\n'
  for (let cut = 0; cut <= stream.length; cut++) {
    const read = makeEventReader()
    const events = [...read(stream.slice(0, cut)), ...read(stream.slice(cut))]
    assert.deepEqual(events, [{ type: 'text', text: 'a\nb' }, { type: 'done' }])
  }
})
