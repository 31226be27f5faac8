/** `plumbline restore`: creates a data folder from a backup, completely or not at all. */
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, rmdir, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Progress, startProgress } from '../progress.ts'
import { CommandFailed, type Terminal } from '../session.ts'
import { type BackupHeader, type EntrySink, verifyArchive } from './archive.ts'

export interface RestoreOptions {
  readonly dataDir: string
}

export async function restore(terminal: Terminal, file: string, { dataDir }: RestoreOptions): Promise<void> {
  const folder = resolve(dataDir)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length > 0)
    throw new CommandFailed(`${folder} is not empty. Choose a folder that is empty or does not exist.`)
  // Inside the folder, because the folder itself may be a mount point.
  const staging = join(folder, 'restore.part')
  await mkdir(staging, { mode: 0o700 })
  try {
    const { madeAt, files, bytes, elsewhere } = await unpack(terminal, file, staging)
    for (const name of await readdir(staging)) await rename(join(staging, name), join(folder, name))
    await rmdir(staging)
    if (elsewhere.length > 0) terminal.tell(`Not in the backup; restore separately: ${elsewhere.join(', ')}.`)
    terminal.print(
      { dataDir: folder, madeAt, files, bytes, elsewhere },
      `${files} files as of ${madeAt} are in ${folder}. Start: plumbline serve --data-dir ${folder}`,
    )
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    throw error
  }
}

async function unpack(terminal: Terminal, file: string, folder: string): Promise<BackupHeader> {
  let header: BackupHeader | undefined
  let progress: Progress | undefined
  const sink = makeFolderSink(folder)
  const pieces = verifyArchive(createReadStream(file), {
    onHeader(value) {
      header = value
      progress = startProgress(terminal, 'files', value.files)
    },
    onFile: () => progress?.advance(),
    sink: sink,
  })
  try {
    for await (const _piece of pieces) terminal.signal.throwIfAborted()
  } catch (cause) {
    if (terminal.signal.aborted) throw new CommandFailed('Interrupted; nothing was restored.', { cause })
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT' && header === undefined)
      throw new CommandFailed(`There is no file ${file}.`, { cause })
    throw cause
  } finally {
    progress?.end()
    await sink.end()
  }
  // Every complete backup starts with a header.
  return header!
}

/** Writes entries below a folder and syncs each file to disk when it ends. */
function makeFolderSink(folder: string): EntrySink {
  let handle: FileHandle | undefined
  return {
    async begin({ path, type, target }) {
      const full = join(folder, path)
      if (type === 'directory') await mkdir(full, { mode: 0o700 })
      else if (type === 'symlink') await symlink(target, full)
      else handle = await open(full, 'wx', 0o600)
    },
    async bytes(piece) {
      await handle!.writeFile(piece)
    },
    async end() {
      const closing = handle
      handle = undefined
      await closing?.sync()
      await closing?.close()
    },
  }
}
