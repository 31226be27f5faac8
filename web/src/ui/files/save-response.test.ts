import assert from 'node:assert/strict'
import { it } from 'node:test'
import { recordCounter } from './save-response.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

it('JSON lines are counted across chunks of the file', () => {
  const count = recordCounter('jsonl')
  assert.equal(count(bytesOf('{"a":1}\n{"b"')), 1)
  assert.equal(count(bytesOf(':"\\n"}\n{"c":2}\n')), 3)
})

it('CSV rows are counted without the header and line breaks within cells', () => {
  const count = recordCounter('csv')
  assert.equal(count(bytesOf('name,output\r\na,"two\nli')), 0)
  assert.equal(count(bytesOf('nes, ""quoted""\n"\r\nb,c\r\n')), 2)
})

it('other formats have no count', () => {
  assert.equal(recordCounter('other')(bytesOf('PAR1\n')), undefined)
})
