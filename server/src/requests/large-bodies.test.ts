/** Issue 14, part 7: two 14 MB bodies of small objects ended a process with 1 GB, whose heap was full. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as pause } from 'node:timers/promises'
import { makeLargeBodies } from './large-bodies.ts'

/** The names of the admitted bodies, in order. */
function setUp(bytesMax: number) {
  const bodies = makeLargeBodies(bytesMax)
  const admitted: string[] = []
  const releases = new Map<string, () => void>()
  return {
    admitted,
    release: (name: string) => releases.get(name)?.(),
    admit: (name: string, bytes: number) =>
      void bodies.admit(bytes).then((release) => {
        admitted.push(name)
        releases.set(name, release)
      }),
  }
}

test('large bodies are parsed concurrently while they fit, and otherwise wait in order', async () => {
  const { admit, admitted, release } = setUp(10)
  admit('a', 6)
  admit('b', 4)
  admit('c', 8)
  admit('d', 1)
  await pause()
  assert.deepEqual(admitted, ['a', 'b'])
  release('a')
  await pause()
  // The small one does not overtake the one that has waited longer.
  assert.deepEqual(admitted, ['a', 'b'])
  release('b')
  await pause()
  assert.deepEqual(admitted, ['a', 'b', 'c', 'd'])
})

test('a body larger than the whole limit is parsed alone', async () => {
  const { admit, admitted, release } = setUp(10)
  admit('a', 16)
  admit('b', 1)
  await pause()
  assert.deepEqual(admitted, ['a'])
  release('a')
  // A second release has no effect.
  release('a')
  admit('c', 10)
  await pause()
  assert.deepEqual(admitted, ['a', 'b'])
})
