/** C1: whatever a key claims to be, nothing outside the workspace's own files is read or written. */
import assert from 'node:assert/strict'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, describe, it } from 'node:test'
import { type FileKey, newFileKey, readFileKey } from './file-key.ts'
import { makeFolderFiles, removeUnfinishedUploads } from './folder-files.ts'

const root = mkdtempSync(join(tmpdir(), 'plumbline-files-'))
after(() => rmSync(root, { recursive: true, force: true }))
const folder = join(root, 'files', 'one')
mkdirSync(folder, { recursive: true })
writeFileSync(join(root, 'control.db'), 'everything')
writeFileSync(join(folder, 'stray'), 'in the folder, under no key')

const key = newFileKey(new Date('2026-03-01T12:00:00Z'))
const hostile = [
  '../../control.db',
  '..%2F..%2Fcontrol.db',
  '/etc/passwd',
  '..',
  '.',
  '',
  'stray',
  `${key}\0`,
  `${key}/../../../control.db`,
  `${key}\n`,
  key.toUpperCase(),
  `{${key}}`,
  key.replace('-7', '-4'),
]
const bytesOf = (text: string): Readable => Readable.from([Buffer.from(text)], { objectMode: false })

describe('a file key (C1)', () => {
  it('has exactly the form that this service creates', () => {
    assert.equal(readFileKey(key), key)
    for (const text of [...hostile, undefined, null, 7, [key]]) assert.equal(readFileKey(text), undefined)
  })
})

describe('the folder of files (C1)', () => {
  const store = makeFolderFiles(folder)

  it('stores and returns the bytes of a key', async () => {
    const received = await store.receive(key, bytesOf('bytes'), 5)
    assert.equal(received.sizeBytes, 5)
    assert.equal(await store.read(key), undefined)
    await received.keep()
    assert.equal(String(await buffer((await store.read(key))!)), 'bytes')
  })

  it('does not treat a file that cannot be opened now as missing', async (context) => {
    const full = Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' })
    context.mock.method(fs, 'open', () => Promise.reject(full))
    syncBuiltinESMExports()
    try {
      await assert.rejects(store.read(key), { code: 'EMFILE' })
    } finally {
      context.mock.restoreAll()
      syncBuiltinESMExports()
    }
  })

  it('refuses anything that is not a key, even if its type claims it', async () => {
    for (const text of hostile) {
      await assert.rejects(store.read(text as FileKey), /file key/, text)
      await assert.rejects(store.receive(text as FileKey, bytesOf('x'), 9), /file key/, text)
    }
    assert.equal(readFileSync(join(root, 'control.db'), 'utf8'), 'everything')
  })

  it('follows no links, and does not treat a folder as a file', async () => {
    const [link, directory] = [newFileKey(new Date()), newFileKey(new Date())]
    symlinkSync(join(root, 'control.db'), join(folder, link))
    mkdirSync(join(folder, directory))
    assert.equal(await store.read(link), undefined)
    assert.equal(await store.read(directory), undefined)
    await (await store.receive(link, bytesOf('mine'), 4)).keep()
    assert.equal(readFileSync(join(root, 'control.db'), 'utf8'), 'everything')
    assert.equal(String(await buffer((await store.read(link))!)), 'mine')
  })

  it('leaves nothing of an upload that fails or is discarded', async () => {
    const other = newFileKey(new Date())
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('half')
        throw new Error('the client went away')
      })(),
    )
    await assert.rejects(store.receive(other, broken, 100), /went away/)
    await (await store.receive(other, bytesOf('whole'), 100)).discard()
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith(other)),
      [],
    )
  })
})

it('the unfinished uploads of a killed process are removed at the next start, and files are kept', async () => {
  const store = makeFolderFiles(folder)
  const [whole, unfinished] = [newFileKey(new Date()), newFileKey(new Date())]
  await (await store.receive(whole, bytesOf('whole'), 5)).keep()
  await store.receive(unfinished, bytesOf('not whole'), 9)
  const isUnfinished = (name: string): boolean => name.startsWith(unfinished)
  assert.equal(readdirSync(folder).filter(isUnfinished).length, 1)
  await removeUnfinishedUploads(root)
  assert.deepEqual(readdirSync(folder).filter(isUnfinished), [])
  assert.equal(String(await buffer((await store.read(whole))!)), 'whole')
  await removeUnfinishedUploads(join(root, 'without files'))
})
