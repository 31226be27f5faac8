import { Readable } from 'node:stream'
import { invalid } from '@plumbline/contract'
import { readFileKey } from '../../datasets/files/file-key.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** Stores the bytes of an announced file that are missing here; returns how many files were stored. */
export async function restoreFile(line: object, workspace: Workspace): Promise<number> {
  const { fileKey: text, base64 } = line as Readonly<Record<string, unknown>>
  const fileKey = readFileKey(text)
  if (fileKey === undefined) throw invalid('fileKey', 'must be a key made by a Plumbline service')
  if (typeof base64 !== 'string') throw invalid('base64', 'must be a string')
  const file = await workspace.files.find(fileKey)
  if (file === undefined) throw invalid('fileKey', 'must be the key of a row of the table "files"')
  const there = await workspace.fileStore.read(fileKey)
  if (there !== undefined) {
    there.destroy()
    return 0
  }
  const bytes = Buffer.from(base64, 'base64')
  const stream = Readable.from([bytes], { objectMode: false })
  await (await workspace.fileStore.receive(fileKey, stream, bytes.length)).keep()
  return 1
}
