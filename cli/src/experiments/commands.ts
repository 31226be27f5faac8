/** `plumbline experiments`: lists them, and runs one that is written as a module. */
import type { ExperimentPlan } from '@plumbline/sdk'
import { InvalidArgumentError } from 'commander'
import { type CommandParts, FoundWrong, type Session, WrongUsage } from '../session.ts'
import { table } from '../table.ts'
import { loadPlan } from './load-plan.ts'

const form = `
The module exports an experiment by default, or a function that makes one of the client:

  export default {
    name: 'Shorter answers',
    featureSlug: 'support',
    dataset: 'cases',
    run: async (row, trace) => answer(row.values.question),
    evaluators: { exact: ({ row, output }) => output === row.idealOutput },
    thresholds: { exact: 0.9 },
    concurrency: 4,
  }

Exit status: 0 if no row failed and every threshold was reached, else 1.`

interface RunOptions {
  readonly name?: string
  readonly feature?: string
  readonly dataset?: string
  readonly concurrency?: number
  readonly threshold?: readonly string[]
}

export function addExperiments({ program, action }: CommandParts): void {
  const experiments = program.command('experiments').description('Lists experiments, and runs them.')
  experiments
    .command('list')
    .description('Lists the experiments, newest first.')
    .option('--feature <slug>', 'only those of this feature')
    .action(action(list))
  experiments
    .command('run')
    .description('Runs a function over a dataset, and judges what it made.')
    .argument('<module>', 'a file of JavaScript or TypeScript')
    .option('--name <name>', 'of the experiment, in place of that of the module')
    .option('--feature <slug>', 'feature that is tried, in place of that of the module')
    .option('--dataset <slug>', 'dataset, in place of that of the module')
    .option('--concurrency <rows>', 'rows under way at a time', wholeFromOne)
    .option('--threshold <score=mean...>', 'least mean of a score, such as exact=0.9')
    .addHelpText('after', form)
    .action(action(runModule))
}

async function list({ client, print }: Session, { feature }: { readonly feature?: string }): Promise<void> {
  const { experiments } = await client.experiments.list(feature === undefined ? {} : { featureSlug: feature })
  const rows = experiments.map(({ id, name, featureSlug, createdAt }) => [id, name, featureSlug, createdAt])
  print(experiments, table(['id', 'name', 'feature', 'made'], rows))
}

async function runModule(session: Session, file: string, options: RunOptions): Promise<void> {
  const { client, stderr, isJson } = session
  const { feature, threshold = [], ...stated } = options
  const plan: ExperimentPlan = {
    ...(await loadPlan(file, client)),
    ...stated,
    ...(feature === undefined ? {} : { featureSlug: feature }),
    // The bar is for terminals; the table is the result, and is printed below.
    screen: stderr.isTTY === true ? stderr : null,
  }
  const thresholds = { ...plan.thresholds, ...Object.fromEntries(threshold.map(readThreshold)) }
  const unknown = Object.keys(thresholds).find((score) => plan.evaluators?.[score] === undefined)
  if (unknown !== undefined) throw new WrongUsage(`No evaluator gives the score "${unknown}".`)
  const result = await client.experiment({ ...plan, thresholds })
  const { experiment, rows, scores, unstored, hasPassed } = result
  const failed = rows.flatMap((row, index) =>
    'error' in row ? [{ row: index, error: String(row.error) }] : [],
  )
  session.print(
    { experiment, rows: rows.length, failed, scores, unstored, hasPassed },
    isJson || stderr.isTTY === true ? '' : result.table.trimEnd(),
  )
  if (!hasPassed) throw new FoundWrong()
}

function readThreshold(text: string): [string, number] {
  const [, score, mean] = /^(.+)=(-?\d+(?:\.\d+)?)$/.exec(text) ?? []
  if (score === undefined) throw new WrongUsage(`A threshold is like exact=0.9, not "${text}".`)
  return [score, Number(mean)]
}

function wholeFromOne(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1)
    throw new InvalidArgumentError('It must be a whole number from 1.')
  return value
}
