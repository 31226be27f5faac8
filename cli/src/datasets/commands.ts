/** `plumbline datasets`: rows in and out of files. */
import { Option } from 'commander'
import type { CommandParts, Session } from '../session.ts'
import { table } from '../table.ts'
import { exportRows } from './export.ts'
import { formats } from './formats.ts'
import { importRows } from './import.ts'

export function addDatasets({ program, action }: CommandParts): void {
  const datasets = program
    .command('datasets')
    .description('Lists datasets, and moves their rows in and out of files.')
  const format = () =>
    new Option('--format <format>', "of the file; else by the file's name").choices(formats)
  datasets.command('list').description('Lists the datasets.').action(action(list))
  datasets
    .command('export')
    .description('Writes all rows. JSONL and JSON keep them exactly; CSV and Parquet have texts.')
    .argument('<slug>', 'slug of the dataset')
    .argument('[file]', 'where to; else standard output')
    .addOption(format())
    .addHelpText('after', '\nThe file gets its name when it is complete; until then it is FILE.part.')
    .action(action(exportRows))
  datasets
    .command('import')
    .description('Adds the rows of a file, if all of them can be added.')
    .argument('<slug>', 'slug of the dataset, which must be there')
    .argument('<file>', 'CSV with a line of titles, JSONL, JSON with a list, or Parquet')
    .option('--map <column=field...>', 'field of the file for a column; else that of the same name')
    .option('--ideal <field>', 'field of the expected output; else idealOutput')
    .option('--name <field>', "field of the row's name; else name")
    .addOption(format())
    .option('--dry-run', 'only check each row, and report')
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
