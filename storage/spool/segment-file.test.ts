import assert from 'node:assert/strict'
import fs from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { SegmentFile, withoutFirst } from './segment-file.ts'
import { SpareFiles } from './spare-files.ts'
import { temporaryFolder } from './testing.ts'

test('an interrupted write continues with the very next byte', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 5 }), { maxLength: 5 }),
      fc.nat(25),
      (chunks, byteCount) => {
        const whole = Buffer.concat(chunks)
        const rest = withoutFirst(chunks, Math.min(byteCount, whole.length))
        assert.deepEqual(Buffer.concat(rest), whole.subarray(Math.min(byteCount, whole.length)))
      },
    ),
  )
  assert.deepEqual(withoutFirst([Buffer.from('ab'), Buffer.from('c')], 3), [])
})

/** Whether every write to an open file of this process also syncs; only Linux reports this. */
function writesSync(path: string): boolean {
  if (process.platform !== 'linux') return false
  const descriptor = fs.readdirSync('/proc/self/fd').find((name) => linkOf(`/proc/self/fd/${name}`) === path)
  const [, flags] = /^flags:\s*(\d+)/m.exec(fs.readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8')) ?? []
  return (Number.parseInt(flags!, 8) & fs.constants.O_DSYNC) === fs.constants.O_DSYNC
}

function linkOf(path: string): string | undefined {
  try {
    return fs.readlinkSync(path)
  } catch {
    // The descriptor that listed the folder is already closed.
    return undefined
  }
}

test('appends are synced, to a new file and to an overwritten one, unless durability is off', async (context) => {
  const folder = fs.realpathSync(temporaryFolder(context))
  const fdatasync = context.mock.method(fs, 'fdatasync')
  const isSynced = async (name: string, isDurable: boolean, spares?: SpareFiles): Promise<boolean> => {
    const path = join(folder, name)
    const before = fdatasync.mock.callCount()
    const file = await SegmentFile.begin(path, isDurable, spares)
    await file.append([Buffer.from('a record')])
    const isOnDisk = writesSync(path) || fdatasync.mock.callCount() > before
    await file.close()
    assert.equal(fs.readFileSync(path, 'utf8'), 'a record')
    return isOnDisk
  }
  assert.equal(await isSynced('new', true), true)
  const spares = new SpareFiles(2 ** 22)
  const path = join(folder, 'removed')
  fs.writeFileSync(path, Buffer.alloc(2 ** 21))
  await spares.add({ path, bytes: 2 ** 21 })
  assert.equal(await isSynced('overwritten', true, spares), true)
  assert.equal(await isSynced('fast', false), false)
})
