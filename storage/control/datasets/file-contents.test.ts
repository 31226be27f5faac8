import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forEachControlStore, type OpenedWorkspace } from '../testing.ts'

const idAt = (time: string): string => `${time}-7000-8000-000000000000`
const [early, late] = [idAt('019caa00-0000'), idAt('019cab00-0000')]
const cutoff = new Date(0x019caa800000)
const fileKey = 'k'

type Contents = OpenedWorkspace['workspace']['fileContents']

async function add(contents: Contents, uploadId: string, ...texts: string[]): Promise<void> {
  for (const [position, text] of texts.entries())
    await contents.addChunk({ fileKey, uploadId, position }, Buffer.from(text))
}

async function readContents(contents: Contents, uploadId: string): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of contents.chunks({ fileKey, uploadId })) chunks.push(chunk)
  return Buffer.concat(chunks).toString('latin1')
}

forEachControlStore('contents of files', (open) => {
  test('an upload becomes the file once it is kept, byte for byte', async () => {
    const { workspace } = await open()
    const { fileContents } = workspace
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
    await fileContents.addChunk({ fileKey, uploadId: early, position: 0 }, bytes)
    await add(fileContents, late, 'other', ' bytes')
    assert.equal(await fileContents.findUpload(fileKey), undefined)
    await fileContents.keepUpload({ fileKey, uploadId: late })
    await fileContents.keepUpload({ fileKey, uploadId: early })
    assert.equal(await fileContents.findUpload(fileKey), early)
    assert.equal(await readContents(fileContents, early), bytes.toString('latin1'))
    await fileContents.discardUpload({ fileKey, uploadId: late })
    assert.equal(await readContents(fileContents, late), '')
  })

  test('the uploaded flag of a file and its contents are written and removed in one transaction', async () => {
    const { workspace } = await open()
    const { files, fileContents } = workspace
    const keep = () => assert.fail('the control store has the bytes')
    await files.create({ fileKey, fileName: 'a', contentType: 'text/plain' }, cutoff)
    await add(fileContents, early, 'bytes')
    assert.equal(await files.markUploaded(fileKey, { sizeBytes: 5, uploadId: early, keep }, cutoff), true)
    assert.equal(await fileContents.findUpload(fileKey), early)
    assert.equal(await readContents(fileContents, early), 'bytes')
    assert.equal(await files.remove(fileKey), true)
    assert.equal(await fileContents.findUpload(fileKey), undefined)
    assert.equal(await readContents(fileContents, early), '')
  })

  test('uploads that were never kept are deleted by age, and those of others stay', async () => {
    const [{ workspace }, { workspace: other }] = [await open(), await open()]
    const { fileContents } = workspace
    await add(fileContents, early, 'a', 'b')
    await add(fileContents, late, 'c')
    await add(other.fileContents, early, 'theirs')
    await fileContents.deleteUnused(cutoff)
    assert.deepEqual(
      [await readContents(fileContents, early), await readContents(fileContents, late)],
      ['', 'c'],
    )
    assert.equal(await readContents(other.fileContents, early), 'theirs')
    await fileContents.keepUpload({ fileKey, uploadId: late })
    await fileContents.deleteUnused(new Date(8.64e12))
    assert.equal(await readContents(fileContents, late), 'c')
  })
})
