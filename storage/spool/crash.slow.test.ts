import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { hostEnvironment } from '../../fixtures/environment.ts'
import { type FileSpool, readSegment } from './index.ts'
import { openTestSpool, temporaryFolder } from './testing.ts'

const child = join(import.meta.dirname, 'append-until-killed.ts')

/** Whole lines only: the kill may have cut off the last one. */
function printedIds(output: string, word: string): string[] {
  const lines = output.split('\n').slice(0, -1)
  return lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1))
}

function idsToDrain(spool: FileSpool): string[] {
  return spool.sealed().flatMap((segment) => readSegment(segment).records.map(({ id }) => id))
}

/** Kills the child once it has reported a number of records. */
async function appendUntilKilled(
  folder: string,
  prefix: string,
  records: number,
  mode: readonly string[] = [],
): Promise<string> {
  const running = spawn(process.execPath, [child, folder, prefix, ...mode], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  let reportedCount = 0
  for await (const line of createInterface(running.stdout)) {
    output += `${line}\n`
    if (++reportedCount === records) running.kill('SIGKILL')
  }
  return output
}

test('every record acknowledged before kill -9 is kept exactly once, over several starts', async (context) => {
  const folder = temporaryFolder(context)
  const acknowledged: string[] = []
  for (let round = 0; round < 5; round++) {
    const output = await appendUntilKilled(folder, `round-${round}`, 50 + round * 333)
    acknowledged.push(...printedIds(output, 'kept'))
    const { spool, damages } = await openTestSpool(folder)
    assert.ok(damages.every(({ damagedRecords }) => damagedRecords === 0))
    const ids = idsToDrain(spool)
    const remaining = new Set(ids)
    assert.equal(remaining.size, ids.length)
    assert.deepEqual(
      acknowledged.filter((id) => !remaining.has(id)),
      [],
    )
    for (const id of acknowledged) assert.equal((await spool.find(id))?.subarray(0, id.length).toString(), id)
    await spool.close()
  }
})

test('the same holds when segments overwrite the files of drained ones', async (context) => {
  const folder = temporaryFolder(context)
  for (let round = 0; round < 8; round++) {
    const output = await appendUntilKilled(folder, `round-${round}`, 150 + round * 61, ['0', 'drains'])
    const drained = new Set(printedIds(output, 'drained'))
    assert.ok(drained.size > 0)
    const { spool, damages } = await openTestSpool(folder)
    assert.ok(damages.every(({ damagedRecords }) => damagedRecords === 0))
    const ids = idsToDrain(spool)
    const remaining = new Set(ids)
    assert.equal(remaining.size, ids.length)
    const isSafe = (id: string): boolean => remaining.has(id) || drained.has(id)
    assert.deepEqual(
      printedIds(output, 'kept').filter((id) => !isSafe(id)),
      [],
    )
    for (const id of ids) assert.equal((await spool.find(id))?.subarray(0, id.length).toString(), id)
    for (const segment of spool.sealed()) await spool.remove(segment)
    await spool.close()
  }
})

/** Limits set by the operating system, so that real writes fail in the middle of a group. */
const limits = [
  { title: 'a file that cannot grow', limit: 'ulimit -f 64', refusal: 'SpoolFailed', wrapper: [] },
  {
    title: 'a full disk',
    limit: 'mount -t tmpfs -o size=512k none "$DISK"',
    refusal: 'SpoolFull',
    // Allows mounting without root, if the kernel permits it.
    wrapper: ['unshare', '-Urm'],
  },
]

for (const { title, limit, refusal, wrapper } of limits) {
  const isAvailable =
    wrapper.length === 0 || spawnSync(wrapper[0]!, [...wrapper.slice(1), 'true']).status === 0
  test(`${title} loses no acknowledged record and keeps no refused one`, {
    skip: !isAvailable,
  }, async (context) => {
    const folder = temporaryFolder(context)
    const disk = join(folder, 'disk')
    mkdirSync(disk)
    // The disk is unmounted when the command ends, so its files are copied first.
    const script = `${limit} && "$NODE" "$CHILD" "$DISK" limited 40 && cp "$DISK"/* "$FOLDER"`
    const [command = '', ...args] = [...wrapper, 'sh', '-c', script]
    const { stdout, stderr, status } = spawnSync(command, args, {
      encoding: 'utf8',
      env: { ...hostEnvironment, NODE: process.execPath, CHILD: child, DISK: disk, FOLDER: folder },
    })
    assert.equal(status, 0, stderr)
    const { spool, damages } = await openTestSpool(folder)
    assert.deepEqual(damages, [])
    const remaining = printedIds(stdout, 'kept').sort()
    assert.deepEqual(printedIds(stdout, 'sealed').sort(), remaining)
    assert.deepEqual(idsToDrain(spool).sort(), remaining)
    assert.ok(remaining.length > 0)
    assert.ok(printedIds(stdout, refusal).length > 0)
    await spool.close()
  })
}
