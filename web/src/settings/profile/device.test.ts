import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviceOf } from './device.ts'

test('common browsers and systems are recognized, and others are quoted', () => {
  const chrome =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36'
  const phone =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Mobile/15E148 Safari/604.1'
  assert.deepEqual(deviceOf(chrome), { name: 'Chrome on Windows', isHandheld: false })
  assert.deepEqual(deviceOf(phone), { name: 'Safari on iOS', isHandheld: true })
  assert.equal(deviceOf('robot/1').name, 'robot/1')
  assert.equal(deviceOf('').name, 'Unknown device')
})
