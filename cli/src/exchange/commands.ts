/** `plumbline export` and `plumbline import`: whole workspaces, and what other systems exported. */
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
    .description('Writes the whole workspace as a bundle, which imports again as it was.')
    .requiredOption('--bundle <file>', 'where to; compressed if its name ends in .gz')
    .addHelpText(
      'after',
      '\nIt needs a key with the scope operate, which only an owner can create. The file gets its name when it is complete\nand checked; until then it is FILE.part.',
    )
    .action(action((session: Session, { bundle }: { bundle: string }) => exportBundle(session, bundle)))
  program
    .command('import')
    .description(
      'Imports what another system exported, or a bundle. What is there already is not stored again.',
    )
    .argument('[files...]', 'files and folders: JSON, JSON lines, CSV or Parquet, also as .gz')
    .option('--bundle <file>', 'a bundle of `plumbline export`')
    .addOption(
      new Option('--from <system>', 'where the files come from; else each record is looked at').choices(
        sources.map(({ name }) => name),
      ),
    )
    .option('--feature <slug>', 'the feature that the traces are to belong to')
    .option('--dry-run', 'only read, and report what would become what')
    .addHelpText(
      'after',
      '\nFor OpenTelemetry files the key needs the scope ingest; for a bundle operate; else ingest, read and manage.\n\nExample: plumbline import langfuse-export/ --dry-run',
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
  // An import asks more than a service may take at a time, and waits as long as it is told to.
  const client = createClient({ baseUrl: session.url, apiKey: session.key, fetch: patientFetch })
  const patient = { ...session, client }
  await (bundle === undefined
    ? importFiles(patient, files, options)
    : importBundle(patient, bundle, options.dryRun === true))
}
