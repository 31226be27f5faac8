import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { forEachControlStore, type OpenedWorkspace } from '@plumbline/storage/control/testing'
import { makeControlStoreFiles } from './control-store-files.ts'
import { newFileKey } from './file-key.ts'
import { makeFolderFiles } from './folder-files.ts'

const root = mkdtempSync(join(tmpdir(), 'plumbline-files-'))
after(() => rmSync(root, { recursive: true, force: true }))
/** Two nodes, each with its own disk. */
const nodesOf = ({ workspace }: OpenedWorkspace) =>
  ['one', 'other'].map((name) =>
    makeControlStoreFiles(workspace.fileContents, makeFolderFiles(join(root, name))),
  ) as [ReturnType<typeof makeControlStoreFiles>, ReturnType<typeof makeControlStoreFiles>]
const pieces = (bytes: Buffer, size: number): Readable =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    ),
    { objectMode: false },
  )

forEachControlStore('files in the control store', (open) => {
  test('one node reads what another has received, whatever its chunks', async () => {
    const [firstNode, other] = nodesOf(await open())
    for (const [length, size] of [
      [1_000_000, 70_000],
      [262_144, 262_144],
      [5, 1],
    ] as const) {
      const [key, bytes] = [newFileKey(new Date()), randomBytes(length)]
      const received = await firstNode.receive(key, pieces(bytes, size), length)
      assert.equal(received.sizeBytes, length)
      assert.equal(await other.read(key), undefined)
      await received.keep()
      assert.ok(bytes.equals(await buffer((await other.read(key))!)))
    }
  })

  test('an upload that is too large or fails leaves nothing', async () => {
    const { fileContents } = (await open()).workspace
    const uploads: { fileKey: string; uploadId: string }[] = []
    const contents: typeof fileContents = {
      ...fileContents,
      addChunk(place, bytes) {
        uploads.push(place)
        return fileContents.addChunk(place, bytes)
      },
    }
    const firstNode = makeControlStoreFiles(contents, makeFolderFiles(join(root, 'one')))
    const key = newFileKey(new Date())
    await assert.rejects(firstNode.receive(key, pieces(randomBytes(600_000), 50_000), 599_999), {
      code: 'file_too_large',
    })
    const broken = Readable.from(
      (async function* () {
        yield randomBytes(300_000)
        throw new Error('the client went away')
      })(),
    )
    await assert.rejects(firstNode.receive(key, broken, 1_000_000), /went away/)
    assert.ok(uploads.length > 0)
    for (const upload of uploads) assert.deepEqual(await Array.fromAsync(fileContents.chunks(upload)), [])
  })

  test('a file from when the node was alone is read from its folder', async () => {
    const [firstNode, other] = nodesOf(await open())
    const key = newFileKey(new Date())
    await (await makeFolderFiles(join(root, 'one')).receive(key, pieces(Buffer.from('old'), 3), 3)).keep()
    assert.equal(String(await buffer((await firstNode.read(key))!)), 'old')
    assert.equal(await other.read(key), undefined)
    await firstNode.delete(key)
    assert.equal(await firstNode.read(key), undefined)
  })
})
