/** `plumbline backup` and `plumbline restore`: saves a whole installation to one file, and restores it. */
import { resolve } from 'node:path'
import { download } from '../download.ts'
import { type Progress, startProgress } from '../progress.ts'
import type { CommandParts, Session } from '../session.ts'
import { writeWhole } from '../whole-file.ts'
import { type BackupHeader, verifyArchive } from './archive.ts'
import { restore } from './restore.ts'

export function addBackup({ program, action, offline }: CommandParts): void {
  program
    .command('backup')
    .description(
      'Writes everything that a running service has acknowledged, for all workspaces, to one file.',
    )
    .argument('[file]', 'tar archive to write; standard output by default')
    .addHelpText(
      'after',
      '\nIt needs a key of the first workspace with the scope operate, which only an owner can create. The backup is written to\nFILE.part and renamed once it is complete and verified. It contains all data: protect it like the service. It does not contain the secret that decrypts\nkeys (PLUMBLINE_SECRET_KEY, or secret.key in the data folder): keep a separate copy.',
    )
    .action(action(backup))
  program
    .command('restore')
    .description('Creates a data folder from a backup; no running service is needed.')
    .argument('<file>', 'file that `plumbline backup` wrote')
    .requiredOption('--data-dir <folder>', 'target: a folder that is empty or does not exist')
    .addHelpText('after', '\nVerifies every file. Then run: plumbline serve --data-dir FOLDER')
    .action(offline(restore))
}

async function backup(session: Session, file: string | undefined): Promise<void> {
  let header: BackupHeader | undefined
  let progress: Progress | undefined
  const pieces = verifyArchive(download(session, '/backup', {}, 'POST'), {
    onHeader(value) {
      header = value
      progress = startProgress(session, 'files', value.files)
    },
    onFile: () => progress?.advance(),
  })
  try {
    await writeWhole(session, file, pieces, { mode: 0o600 })
  } finally {
    progress?.end()
  }
  // Every complete backup starts with a header.
  const { madeAt, files, bytes, elsewhere } = header!
  if (elsewhere.length > 0) session.tell(`Not in the backup; back up separately: ${elsewhere.join(', ')}.`)
  if (file === undefined || file === '-') return
  const path = resolve(file)
  session.print(
    { file: path, madeAt, files, bytes, elsewhere },
    `${files} files, ${bytes} bytes are in ${path}.`,
  )
}
