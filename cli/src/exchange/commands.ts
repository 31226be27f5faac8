/** `plumbline export` and `plumbline import`: exports and imports whole workspaces, and imports exports of other systems. */
import { createClient } from '@plumbline/sdk'
import { sources } from '@plumbline/sdk/import'
import { Option } from 'commander'
import { patientFetch } from '../patient-fetch.ts'
import { type CommandParts, type Session, WrongUsage } from '../session.ts'
import { exportBundle } from './export-bundle.ts'
import { importBundle } from './import-bundle.ts'
import { type ImportOptions, importFiles } from './import-files.ts'

export function addExchange({ program, action }: CommandParts): void {
  program
    .command('export')
    .description('Writes the whole workspace as a bundle that can be imported again unchanged.')
    .requiredOption('--bundle <file>', 'file to write; compressed if its name ends in .gz')
    .addHelpText(
      'after',
      '\nIt needs a key with the scope operate, which only an owner can create. The bundle is written to FILE.part\nand renamed once it is complete and verified.',
    )
    .action(action((session: Session, { bundle }: { bundle: string }) => exportBundle(session, bundle)))
  program
    .command('import')
    .description('Imports a bundle or the export of another system. Existing data is not stored again.')
    .argument('[files...]', 'files and folders: JSON, JSON lines, CSV or Parquet, also as .gz')
    .option('--bundle <file>', 'a bundle of `plumbline export`')
    .addOption(
      new Option('--from <system>', 'source of the files; detected per record by default').choices(
        sources.map(({ name }) => name),
      ),
    )
    .option('--feature <slug>', 'feature to assign the traces to')
    .option('--dry-run', 'only read the files and report what would be imported')
    .addHelpText(
      'after',
      '\nThe key needs the scope ingest for OpenTelemetry files, operate for a bundle, and otherwise ingest, read and manage.\n\nExample: plumbline import langfuse-export/ --dry-run',
    )
    .action(action(importAny))
}

async function importAny(
  session: Session,
  files: readonly string[],
  { bundle, ...options }: ImportOptions & { readonly bundle?: string },
): Promise<void> {
  if ((bundle === undefined) === (files.length === 0))
    throw new WrongUsage('Name the files to import, or a bundle with --bundle.')
  // An import can exceed the rate limit of a service, so it waits as long as the service asks.
  const client = createClient({ baseUrl: session.url, apiKey: session.key, fetch: patientFetch })
  const patient = { ...session, client }
  await (bundle === undefined
    ? importFiles(patient, files, options)
    : importBundle(patient, bundle, options.dryRun === true))
}
