import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { makeLargeBodies } from '../../../requests/large-bodies.ts'
import { MessageReader } from './grpc-message.ts'

const bytesMax = 16 * 1024 * 1024
const passOn = async (message: Buffer): Promise<Buffer> => message

test('a claimed length takes no memory before its bytes arrive', async () => {
  const before = process.memoryUsage().arrayBuffers
  const readers = Array.from({ length: 100 }, () => {
    const reader = new MessageReader(bytesMax)
    reader.add(Buffer.from([0, 1, 0, 0, 0]))
    reader.add(Buffer.alloc(10))
    return reader
  })
  const grownBytes = process.memoryUsage().arrayBuffers - before
  assert.ok(grownBytes < 20 * 1024 * 1024, `${grownBytes} bytes`)
  for (const reader of readers)
    await assert.rejects(reader.finish(undefined, makeLargeBodies(), passOn), /one message/)
})

test('chunks are not retained: a message takes little more than its bytes', async () => {
  const reader = new MessageReader(bytesMax)
  reader.add(Buffer.from([0, 0, 16, 0, 0]))
  for (let index = 0; index < 1024; index++) reader.add(Buffer.alloc(1024, index & 255))
  const message = await reader.finish(undefined, makeLargeBodies(), passOn)
  assert.equal(message.length, 1024 * 1024)
  for (let index = 0; index < 1024; index++) assert.equal(message[index * 1024 + 7], index & 255)
  assert.ok(message.buffer.byteLength <= 1024 * 1024)
})

test('a large message waits for memory before it is decompressed, a small one does not', async () => {
  const largeBodies = makeLargeBodies(10)
  const release = await largeBodies.admit(10)
  const messages: number[] = []
  const send = (message: Buffer): Promise<void> => {
    const reader = new MessageReader(bytesMax)
    const bytes = gzipSync(message)
    const prefix = Buffer.from([1, 0, 0, 0, 0])
    prefix.writeUInt32BE(bytes.length, 1)
    reader.add(prefix)
    reader.add(bytes)
    return reader.finish('gzip', largeBodies, async ({ length }) => void messages.push(length))
  }
  const large = send(Buffer.alloc(bytesMax))
  await send(Buffer.alloc(1000))
  assert.deepEqual(messages, [1000])
  release()
  await large
  assert.deepEqual(messages, [1000, bytesMax])
  await assert.rejects(send(Buffer.alloc(bytesMax + 1)), /at most/)
})
