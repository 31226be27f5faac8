/** `plumbline backup` and `plumbline restore`: everything of an installation in one file, and back. */
import { resolve } from 'node:path'
import { download } from '../download.ts'
import { type Progress, startProgress } from '../progress.ts'
import type { CommandParts, Session } from '../session.ts'
import { writeWhole } from '../whole-file.ts'
import { type BackupHeader, checked } from './archive.ts'
import { restore } from './restore.ts'

export function addBackup({ program, action, offline }: CommandParts): void {
  program
    .command('backup')
    .description('Writes everything that a running service has acknowledged, of all workspaces, to one file.')
    .argument('[file]', 'a tar archive; else standard output')
    .addHelpText(
      'after',
      '\nIt needs a key of the first workspace with the scope operate, which only an owner can create. The file gets its\nname when it is complete and checked; until then it is FILE.part. It has everything in it: keep it as safe as the service. The secret that opens\nencrypted keys (PLUMBLINE_SECRET_KEY, or secret.key in the data folder) is not in it: keep a copy apart.',
    )
    .action(action(backup))
  program
    .command('restore')
    .description('Makes a data folder of a backup; no service is needed.')
    .argument('<file>', 'what `plumbline backup` wrote')
    .requiredOption('--data-dir <folder>', 'where to: a folder that is empty, or not there')
    .addHelpText('after', '\nEvery file is checked. Then: plumbline serve --data-dir FOLDER')
    .action(offline(restore))
}

async function backup(session: Session, file: string | undefined): Promise<void> {
  let header: BackupHeader | undefined
  let progress: Progress | undefined
  const pieces = checked(download(session, '/backup', {}, 'POST'), {
    onHeader(read) {
      header = read
      progress = startProgress(session, 'files', read.files)
    },
    onFile: () => progress?.advance(),
  })
  try {
    await writeWhole(session, file, pieces, { mode: 0o600 })
  } finally {
    progress?.end()
  }
  // A whole backup has begun with one.
  const { madeAt, files, bytes, elsewhere } = header!
  if (elsewhere.length > 0) session.tell(`Not in the backup, to be backed up there: ${elsewhere.join(', ')}.`)
  if (file === undefined || file === '-') return
  const path = resolve(file)
  session.print(
    { file: path, madeAt, files, bytes, elsewhere },
    `${files} files, ${bytes} bytes are in ${path}.`,
  )
}
