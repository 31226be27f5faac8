/** `plumbline experiments`: lists experiments, runs them locally or in the service, and compares them. */
import type { ExperimentPlan } from '@plumbline/sdk'
import { InvalidArgumentError } from 'commander'
import { type CommandParts, FoundWrong, type Session, WrongUsage } from '../session.ts'
import { table } from '../table.ts'
import { gate } from './gate.ts'
import { loadPlan } from './load-plan.ts'
import { start } from './start.ts'

const moduleHelp = `
The default export of the module is an experiment, or a function that takes the client and returns one:

  export default {
    name: 'Shorter answers',
    featureSlug: 'support',
    dataset: 'cases',
    run: async (row, trace) => answer(row.values.question),
    evaluators: { exact: ({ row, output }) => output === row.idealOutput },
    thresholds: { exact: 0.9 },
    concurrency: 4,
  }

Exit status: 0 if there were rows, none of them failed and every threshold was met, otherwise 1.`

const ruleHelp = `
Rules:

  score.accuracy >= 0.8            mean of the candidate; also cost, durationMs and tokens
  delta(score.accuracy) >= -0.02   mean difference from the baseline, paired by case
  cost <= +10%                     the same, as a percentage of the baseline's mean
  p < 0.05                         fails only if the candidate is significantly worse
  regressions <= 3                 cases that got worse; also missing and failing

Exit status: 0 if all rules pass, 1 if one fails or is inconclusive, 2 if a rule is invalid.`

interface RunOptions {
  readonly name?: string
  readonly feature?: string
  readonly dataset?: string
  readonly datasetVersion?: number
  readonly split?: string
  readonly label?: string
  readonly concurrency?: number
  readonly threshold?: readonly string[]
}

export function addExperiments({ program, action }: CommandParts): void {
  const experiments = program.command('experiments').description('Lists, runs and compares experiments.')
  experiments
    .command('list')
    .description('Lists the experiments, newest first.')
    .option('--feature <slug>', 'only those of this feature')
    .action(action(list))
  experiments
    .command('run')
    .description('Runs a function over a dataset and evaluates its outputs.')
    .argument('<module>', 'JavaScript or TypeScript file')
    .option('--name <name>', 'name of the experiment; overrides the module')
    .option('--feature <slug>', 'feature under test; overrides the module')
    .option('--dataset <slug>', 'dataset; overrides the module')
    .option(
      '--dataset-version <number>',
      'version of the dataset; as it is now by default',
      parsePositiveInteger,
    )
    .option('--split <split>', 'only rows in this split')
    .option('--label <label>', 'only rows with this label')
    .option('--concurrency <rows>', 'rows to run concurrently', parsePositiveInteger)
    .option('--threshold <score=mean...>', 'minimum mean of a score, such as exact=0.9')
    .addHelpText('after', moduleHelp)
    .action(action(runModule))
  experiments
    .command('start')
    .description('Runs a prompt version or an endpoint over a dataset in the service, and waits for the run.')
    .requiredOption('--dataset <slug>', 'dataset to run')
    .option(
      '--dataset-version <number>',
      'version of the dataset; as it is now by default',
      parsePositiveInteger,
    )
    .option('--split <split>', 'only rows in this split')
    .option('--label <label>', 'only rows with this label')
    .option('--prompt <slug>', 'prompt to run; columns become its variables')
    .option('--version <version>', 'prompt version; production by default')
    .option('--tag <tag>', 'prompt version by tag, such as latest')
    .option('--connection <name>', 'LLM connection to use, by name or id')
    .option('--model <model>', 'model; overrides the prompt version')
    .option('--endpoint <url>', 'endpoint that runs each case, instead of a prompt')
    .option('--header <name: value...>', 'headers for the endpoint')
    .option('--timeout <ms>', 'timeout of each call to the endpoint', parsePositiveInteger)
    .option('--evaluator <slug...>', 'evaluators to run on each trace')
    .option('--repeat <times>', 'runs of each row', parsePositiveInteger)
    .option('--concurrency <cases>', 'cases to run concurrently', parsePositiveInteger)
    .option('--spend <dollars>', 'maximum cost in US dollars', parseAmount)
    .option('--name <name>', 'name of the experiment')
    .option('--feature <slug>', 'feature under test; the feature of the prompt by default')
    .option('--detach', 'return without waiting')
    .addHelpText('after', '\nExit status: 0 if every case succeeded, otherwise 1.')
    .action(action(start))
  experiments
    .command('attach')
    .description('Adds existing traces to an experiment.')
    .argument('<experiment>', 'id of the experiment')
    .argument('<traces...>', 'ids of traces, 1 to 1000')
    .action(action(attach))
  experiments
    .command('gate')
    .description('Checks a candidate against a baseline, for CI.')
    .requiredOption('--candidate <id>', 'experiment to check')
    .requiredOption('--baseline <id>', 'experiment to compare with')
    .requiredOption('--rule <rule...>', 'rule, such as "score.accuracy >= 0.8"')
    .option('--lower <score...>', 'scores where lower is better')
    .option(
      '--wait [seconds]',
      'wait until both have run and been evaluated; 900 seconds by default',
      parsePositiveInteger,
    )
    .option('--markdown <file>', 'append a summary to this file, such as "$GITHUB_STEP_SUMMARY"')
    .addHelpText('after', ruleHelp)
    .action(action(gate))
}

async function list({ client, print }: Session, { feature }: { readonly feature?: string }): Promise<void> {
  const { experiments } = await client.experiments.list(feature === undefined ? {} : { featureSlug: feature })
  const rows = experiments.map(({ id, name, featureSlug, createdAt }) => [id, name, featureSlug, createdAt])
  print(experiments, table(['id', 'name', 'feature', 'made'], rows))
}

async function attach({ client, print }: Session, id: string, traceIds: readonly string[]): Promise<void> {
  const result = await client.experiments.attach({ id, traceIds: [...traceIds] })
  const { attached, existing, elsewhere } = result
  const lines = [
    `${attached} attached, ${existing} already in the experiment.`,
    ...elsewhere.map((traceId) => `${traceId} belongs to another experiment.`),
  ]
  print(result, lines.join('\n'))
}

async function runModule(session: Session, file: string, options: RunOptions): Promise<void> {
  const { client, stderr, isJson } = session
  const { feature, threshold = [], ...overrides } = options
  const plan: ExperimentPlan = {
    ...(await loadPlan(file, client)),
    ...overrides,
    ...(feature === undefined ? {} : { featureSlug: feature }),
    // Shows the progress bar only on terminals; the result table is printed below.
    screen: stderr.isTTY === true ? stderr : null,
  }
  const thresholds = { ...plan.thresholds, ...Object.fromEntries(threshold.map(parseThreshold)) }
  const unknown = Object.keys(thresholds).find((score) => plan.evaluators?.[score] === undefined)
  if (unknown !== undefined) throw new WrongUsage(`No evaluator produces the score "${unknown}".`)
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

function parseThreshold(text: string): [string, number] {
  const [, score, mean] = /^(.+)=(-?\d+(?:\.\d+)?)$/.exec(text) ?? []
  if (score === undefined) throw new WrongUsage(`A threshold looks like exact=0.9, not "${text}".`)
  return [score, Number(mean)]
}

function parseAmount(text: string): number {
  const value = Number(text)
  if (!(value > 0)) throw new InvalidArgumentError('It must be a number above 0.')
  return value
}

function parsePositiveInteger(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1)
    throw new InvalidArgumentError('It must be a whole number of at least 1.')
  return value
}
