/** `plumbline experiments`: lists them, runs one here or in the service, and judges one against another. */
import type { ExperimentPlan } from '@plumbline/sdk'
import { InvalidArgumentError } from 'commander'
import { type CommandParts, FoundWrong, type Session, WrongUsage } from '../session.ts'
import { table } from '../table.ts'
import { gate } from './gate.ts'
import { loadPlan } from './load-plan.ts'
import { start } from './start.ts'

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

const ruleForms = `
Rules:

  score.accuracy >= 0.8            the mean of the candidate; also of cost, durationMs and tokens
  delta(score.accuracy) >= -0.02   its mean difference to the baseline, case by case
  cost <= +10%                     the same, as a share of the baseline's mean
  p < 0.05                         fails only what is worse in more cases than chance explains
  regressions <= 3                 cases that are worse; also missing and failing

Exit status: 0 if all hold, 1 if one fails or cannot be decided, 2 for a rule that cannot be read.`

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
  experiments
    .command('start')
    .description('Has the service run a prompt version or an endpoint over a dataset, and waits for it.')
    .requiredOption('--dataset <slug>', 'dataset whose rows are run')
    .option('--prompt <slug>', 'prompt that is run; the columns are its variables')
    .option('--version <version>', 'its version; the one in production when absent')
    .option('--tag <tag>', 'its version by a tag, such as latest')
    .option('--connection <name>', 'LLM connection that is asked, by its name or id')
    .option('--model <model>', 'model, in place of that of the version')
    .option('--endpoint <url>', 'address that runs a case, in place of a prompt')
    .option('--header <name: value...>', 'headers for the endpoint')
    .option('--timeout <ms>', 'how long an answer of the endpoint is waited for', wholeFromOne)
    .option('--evaluator <slug...>', 'evaluators that judge each trace')
    .option('--repeat <times>', 'how often each row is run', wholeFromOne)
    .option('--concurrency <cases>', 'cases under way at a time', wholeFromOne)
    .option('--spend <dollars>', 'US dollars that it may spend', amount)
    .option('--name <name>', 'of the experiment')
    .option('--feature <slug>', 'feature that is tried; that of the prompt when absent')
    .option('--detach', 'do not wait for it')
    .addHelpText('after', '\nExit status: 0 if every case is done, else 1.')
    .action(action(start))
  experiments
    .command('attach')
    .description('Lets traces that are there join an experiment.')
    .argument('<experiment>', 'its id')
    .argument('<traces...>', 'ids of traces, 1 to 1000')
    .action(action(attach))
  experiments
    .command('gate')
    .description('Says whether a candidate may take the place of a baseline, for CI.')
    .requiredOption('--candidate <id>', 'experiment that is judged')
    .requiredOption('--baseline <id>', 'experiment that it is compared with')
    .requiredOption('--rule <rule...>', 'such as "score.accuracy >= 0.8"')
    .option('--lower <score...>', 'scores of which less is better')
    .option('--wait [seconds]', 'until both have run and are judged; 900 seconds by default', wholeFromOne)
    .option('--markdown <file>', 'add a summary to this file, such as "$GITHUB_STEP_SUMMARY"')
    .addHelpText('after', ruleForms)
    .action(action(gate))
}

async function list({ client, print }: Session, { feature }: { readonly feature?: string }): Promise<void> {
  const { experiments } = await client.experiments.list(feature === undefined ? {} : { featureSlug: feature })
  const rows = experiments.map(({ id, name, featureSlug, createdAt }) => [id, name, featureSlug, createdAt])
  print(experiments, table(['id', 'name', 'feature', 'made'], rows))
}

async function attach({ client, print }: Session, id: string, traceIds: readonly string[]): Promise<void> {
  const joined = await client.experiments.attach({ id, traceIds: [...traceIds] })
  const { attached, existing, elsewhere } = joined
  const told = [
    `${attached} attached, ${existing} were in it already.`,
    ...elsewhere.map((traceId) => `${traceId} stays in another experiment.`),
  ]
  print(joined, told.join('\n'))
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

function amount(text: string): number {
  const value = Number(text)
  if (!(value > 0)) throw new InvalidArgumentError('It must be a number above 0.')
  return value
}

function wholeFromOne(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1)
    throw new InvalidArgumentError('It must be a whole number from 1.')
  return value
}
