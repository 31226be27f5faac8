/** `experiments start`: runs a prompt version or an endpoint over a dataset in the service, and follows the run. */
import { type ExperimentRun, followRun } from '@plumbline/sdk/gate'
import { startProgress } from '../progress.ts'
import { FoundWrong, type Session, WrongUsage } from '../session.ts'

export interface StartOptions {
  readonly dataset: string
  readonly datasetVersion?: number
  readonly split?: string
  readonly label?: string
  readonly prompt?: string
  readonly version?: string
  readonly tag?: string
  readonly connection?: string
  readonly model?: string
  readonly endpoint?: string
  readonly header?: readonly string[]
  readonly timeout?: number
  readonly evaluator?: readonly string[]
  readonly repeat?: number
  readonly concurrency?: number
  readonly spend?: number
  readonly name?: string
  readonly feature?: string
  readonly detach?: boolean
}

export async function start(session: Session, options: StartOptions): Promise<void> {
  const { client, tell, print, signal } = session
  const { run } = await client.experimentRuns.create({
    datasetSlug: options.dataset,
    ...(options.datasetVersion && { datasetVersion: options.datasetVersion }),
    ...(options.split !== undefined && { split: options.split }),
    ...(options.label !== undefined && { label: options.label }),
    target: await resolveTarget(session, options),
    ...(options.evaluator && { evaluatorSlugs: [...options.evaluator] }),
    ...(options.repeat && { repetitions: options.repeat }),
    ...(options.concurrency && { concurrency: options.concurrency }),
    ...(options.spend && { spendMax: options.spend }),
    ...(options.name && { name: options.name }),
    ...(options.feature && { featureSlug: options.feature }),
  })
  if (options.detach === true) return print(run, describeRun(run))
  const progress = startProgress(session, 'cases', countCases(run))
  let shownCount = 0
  let lastProblem: string | null = null
  const finalRun = await followRun(client, run.id, {
    signal,
    timeoutMs: Number.POSITIVE_INFINITY,
    onProgress({ counts, problem }) {
      for (const finishedCount = counts.done + counts.failed; shownCount < finishedCount; shownCount++)
        progress.advance()
      if (problem !== null && problem !== lastProblem) tell(problem)
      lastProblem = problem
    },
  }).finally(() => progress.end())
  print(finalRun, describeRun(finalRun))
  if (finalRun.counts.failed > 0 || finalRun.status === 'cancelled') throw new FoundWrong()
}

const countCases = ({ counts }: ExperimentRun): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)

/** Rounded to the cent; below one dollar, to three digits. */
const formatDollars = (cost: number): string =>
  `$${cost.toLocaleString('en-US', cost < 1 ? { maximumSignificantDigits: 3 } : { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`

const describeRun = ({ experimentId, status, counts, cost }: ExperimentRun): string =>
  [
    `Experiment ${experimentId}: ${status}`,
    Object.entries(counts)
      .filter(([, count]) => count > 0)
      .map(([state, count]) => `${count} ${state}`)
      .join(', '),
    cost > 0 ? formatDollars(cost) : '',
  ]
    .filter((part) => part !== '')
    .join(', ')

async function resolveTarget({ client }: Session, options: StartOptions) {
  const { prompt, endpoint, version, tag, connection, model } = options
  if ((prompt === undefined) === (endpoint === undefined))
    throw new WrongUsage('Use either --prompt or --endpoint.')
  if (endpoint !== undefined)
    return {
      type: 'endpoint' as const,
      url: endpoint,
      ...(options.header && { headers: Object.fromEntries(options.header.map(parseHeader)) }),
      ...(options.timeout && { timeoutMs: options.timeout }),
    }
  if (connection === undefined) throw new WrongUsage('Set the LLM connection with --connection.')
  const { connections } = await client.connections.list()
  const match = connections.find(({ id, name }) => id === connection || name === connection)
  if (match === undefined) throw new WrongUsage(`There is no connection "${connection}".`)
  const query = { slug: prompt!, ...(tag && { tag }) }
  const servedVersion = version ?? (await client.prompts.get(query)).prompt.version
  return {
    type: 'prompt' as const,
    slug: prompt!,
    version: servedVersion,
    connectionId: match.id,
    ...(model && { model }),
  }
}

function parseHeader(text: string): [string, string] {
  const colon = text.indexOf(':')
  if (colon < 1) throw new WrongUsage(`A header looks like "Authorization: Bearer …", not "${text}".`)
  return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()]
}
