import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MessageReader } from './grpc-message.ts'

const bytesMax = 16 * 1024 * 1024

test('a length that is claimed takes no memory before its bytes arrive', async () => {
  const before = process.memoryUsage().arrayBuffers
  const readers = Array.from({ length: 100 }, () => {
    const reader = new MessageReader(bytesMax)
    reader.add(Buffer.from([0, 1, 0, 0, 0]))
    reader.add(Buffer.alloc(10))
    return reader
  })
  const grownBytes = process.memoryUsage().arrayBuffers - before
  assert.ok(grownBytes < 20 * 1024 * 1024, `${grownBytes} bytes`)
  for (const reader of readers) await assert.rejects(reader.finish(undefined), /one message/)
})

test('chunks are not kept: a message takes little more than its bytes', async () => {
  const reader = new MessageReader(bytesMax)
  reader.add(Buffer.from([0, 0, 16, 0, 0]))
  for (let index = 0; index < 1024; index++) reader.add(Buffer.alloc(1024, index & 255))
  const message = await reader.finish(undefined)
  assert.equal(message.length, 1024 * 1024)
  for (let index = 0; index < 1024; index++) assert.equal(message[index * 1024 + 7], index & 255)
  assert.ok(message.buffer.byteLength <= 1024 * 1024)
})
