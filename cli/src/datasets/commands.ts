/** `plumbline datasets`: imports and exports rows as files. */
import { Option } from 'commander'
import type { CommandParts, Session } from '../session.ts'
import { table } from '../table.ts'
import { exportRows } from './export.ts'
import { formats } from './formats.ts'
import { importRows } from './import.ts'
import { listRows, listVersions } from './rows.ts'
import { parseCount, withSelection } from './selection.ts'

export function addDatasets({ program, action }: CommandParts): void {
  const datasets = program
    .command('datasets')
    .description('Lists datasets, and imports and exports their rows.')
  const format = () =>
    new Option('--format <format>', 'file format; derived from the file name by default').choices(formats)
  datasets.command('list').description('Lists the datasets.').action(action(list))
  datasets
    .command('versions')
    .description('Lists the versions of a dataset, newest first.')
    .argument('<slug>', 'slug of the dataset')
    .action(action(listVersions))
  withSelection(
    datasets
      .command('rows')
      .description('Lists the current rows of a dataset, or those of a version.')
      .argument('<slug>', 'slug of the dataset'),
  )
    .option('--limit <rows>', 'maximum number of rows; 100 by default', parseCount)
    .action(action(listRows))
  withSelection(
    datasets
      .command('export')
      .description(
        'Writes rows, all by default. JSONL and JSON preserve them exactly; CSV and Parquet store text.',
      )
      .argument('<slug>', 'slug of the dataset')
      .argument('[file]', 'file to write; standard output by default')
      .addOption(format()),
  )
    .addHelpText('after', '\nThe export is written to FILE.part and renamed once it is complete.')
    .action(action(exportRows))
  datasets
    .command('import')
    .description('Adds the rows of a file, provided that every row is valid.')
    .argument('<slug>', 'slug of an existing dataset')
    .argument('<file>', 'CSV with a header line, JSONL, JSON with a list, or Parquet')
    .option('--map <column=field...>', 'file field for a column; the field of the same name by default')
    .option('--ideal <field>', 'field with the expected output; idealOutput by default')
    .option('--name <field>', "field with the row's name; name by default")
    .addOption(format())
    .option('--dry-run', 'only validate the rows and report')
    .addHelpText(
      'after',
      '\nExample: plumbline datasets import cases faelle.csv --map question=Frage --ideal answer --dry-run',
    )
    .action(action(importRows))
}

async function list({ client, print }: Session): Promise<void> {
  const { datasets } = await client.datasets.list()
  const rows = datasets.map(({ slug, name, rowCount, columns }) => [
    slug,
    name,
    String(rowCount),
    columns.map((column) => `${column.name}:${column.type}`).join(' '),
  ])
  print(datasets, table(['slug', 'name', 'rows', 'columns'], rows))
}
