/** `plumbline upgrade`: backs up a data folder and migrates it; `--check` rehearses that on a copy. */

import { runMaintenance } from './maintenance.ts'
import type { CommandParts, Terminal } from './session.ts'

interface UpgradeOptions {
  readonly check?: boolean
  readonly dataDir: string
}

/** The output of the service. */
interface Report {
  readonly migrations: readonly { readonly store: string; readonly name: string; readonly tookMs: number }[]
  readonly tookMs: number
  readonly bytesBefore: number
  readonly bytesAfter: number
  /** Absent in a rehearsal, and if there was nothing to migrate. */
  readonly backup?: string
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`

export function addUpgrade({ program, offline }: CommandParts): void {
  program
    .command('upgrade')
    .description(
      'Backs up a data folder next to it, applies the migrations of this version, and reports how long they took.',
    )
    .option('--check', 'rehearse on a copy, which is removed afterwards')
    .requiredOption('--data-dir <folder>', 'a data folder that no service is using: stop the service first')
    .addHelpText(
      'after',
      '\nExit status 1 if a migration fails. The copy is made next to the folder, with the stores and the spool. Starting the\nservice also migrates, but without a backup. See docs/operations.md.',
    )
    .action(offline(upgrade))
}

async function upgrade(terminal: Terminal, { check, dataDir }: UpgradeOptions): Promise<void> {
  const command = check === true ? 'rehearse-upgrade' : 'upgrade'
  // Safe: only the service of this release writes it.
  const report = JSON.parse(await runMaintenance(terminal, [command], dataDir)) as Report
  const { migrations, tookMs, bytesBefore, bytesAfter, backup } = report
  const lines = migrations.map(
    ({ store, name, tookMs: ms }) => `${seconds(ms).padStart(8)}  ${store}: ${name}`,
  )
  const summary =
    migrations.length === 0
      ? 'Nothing to migrate: this version reads the folder as it is.'
      : `${migrations.length} migrations ${check === true ? 'pass' : 'done'} in ${seconds(tookMs)}; ${megabytes(bytesBefore)} before, ${megabytes(bytesAfter)} after.`
  const backupLine = backup === undefined ? [] : [`The stores as they were before are in ${backup}.`]
  terminal.print(report, [...lines, summary, ...backupLine].join('\n'))
}
