import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  findUuids,
  findUuidsV7,
  uuidOfAnyCasePattern,
  uuidPattern,
  uuidV7OfAnyCasePattern,
  uuidV7Pattern,
} from './uuids.ts'

const v4 = '9f1c2d3e-4a5b-4c6d-8e7f-0a1b2c3d4e5f'
const v7 = '01890a5d-ac96-774b-bcce-b302099a8057'

test('a pattern matches a whole text of its version and case', () => {
  const forms = [v4, v7, v4.toUpperCase(), v7.toUpperCase(), ` ${v7}`, `${v7}\n`, v7.replaceAll('-', '')]
  const matches = (pattern: RegExp) => forms.map((text) => Number(pattern.test(text)))
  assert.deepEqual(matches(uuidPattern), [1, 1, 0, 0, 0, 0, 0])
  assert.deepEqual(matches(uuidOfAnyCasePattern), [1, 1, 1, 1, 0, 0, 0])
  assert.deepEqual(matches(uuidV7Pattern), [0, 1, 0, 0, 0, 0, 0])
  assert.deepEqual(matches(uuidV7OfAnyCasePattern), [0, 1, 0, 1, 0, 0, 0])
})

test('all UUIDs in a text are found', () => {
  const text = `{"a":"${v4}","b":"/files/${v7}"}`
  assert.deepEqual(findUuids(text), [v4, v7])
  assert.deepEqual(findUuidsV7(text), [v7])
  assert.deepEqual(findUuids('none'), [])
})
