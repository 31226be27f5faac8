/** `plumbline upgrade --check`: rehearses the migrations of this version on a copy of a data folder. */

import { runMaintenance } from './maintenance.ts'
import { CommandFailed, type CommandParts, type Terminal } from './session.ts'

interface UpgradeOptions {
  readonly check?: boolean
  readonly dataDir: string
}

/** What the service writes. */
interface Report {
  readonly migrations: readonly { readonly store: string; readonly name: string; readonly tookMs: number }[]
  readonly tookMs: number
  readonly bytesBefore: number
  readonly bytesAfter: number
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`

export function addUpgrade({ program, offline }: CommandParts): void {
  program
    .command('upgrade')
    .description(
      'Applies the migrations of this version to a copy of a data folder, and says how long they take.',
    )
    .option('--check', 'rehearse on a copy, which is removed afterwards')
    .requiredOption(
      '--data-dir <folder>',
      'a data folder that no service uses, such as one that a backup was restored to',
    )
    .addHelpText(
      'after',
      '\nExit status 1 if a migration fails. The copy is made beside the folder. The upgrade itself is the start of the new\nversion: make a backup before. See docs/operations.md.',
    )
    .action(offline(upgrade))
}

async function upgrade(terminal: Terminal, { check, dataDir }: UpgradeOptions): Promise<void> {
  if (check !== true)
    throw new CommandFailed(
      'Add --check to rehearse the upgrade. The upgrade itself is the start of this version, after a backup.',
    )
  // Safe: only the service of this release writes it.
  const report = JSON.parse(await runMaintenance(terminal, ['rehearse-upgrade'], dataDir)) as Report
  const { migrations, tookMs, bytesBefore, bytesAfter } = report
  const lines = migrations.map(
    ({ store, name, tookMs: ms }) => `${seconds(ms).padStart(8)}  ${store}: ${name}`,
  )
  const summary =
    migrations.length === 0
      ? 'Nothing to migrate: this version reads the folder as it is.'
      : `${migrations.length} migrations pass in ${seconds(tookMs)}; ${megabytes(bytesBefore)} before, ${megabytes(bytesAfter)} after.`
  terminal.print(report, [...lines, summary].join('\n'))
}
