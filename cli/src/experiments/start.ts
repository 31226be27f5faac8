/** `experiments start`: the service runs a prompt version or an endpoint over a dataset, and this follows it. */
import { type ExperimentRun, followRun } from '@plumbline/sdk/gate'
import { startProgress } from '../progress.ts'
import { FoundWrong, type Session, WrongUsage } from '../session.ts'

export interface StartOptions {
  readonly dataset: string
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
    target: await targetOf(session, options),
    ...(options.evaluator && { evaluatorSlugs: [...options.evaluator] }),
    ...(options.repeat && { repetitions: options.repeat }),
    ...(options.concurrency && { concurrency: options.concurrency }),
    ...(options.spend && { spendMax: options.spend }),
    ...(options.name && { name: options.name }),
    ...(options.feature && { featureSlug: options.feature }),
  })
  if (options.detach === true) return print(run, wordsOf(run))
  const progress = startProgress(session, 'cases', totalOf(run))
  let shown = 0
  let told: string | null = null
  const ended = await followRun(client, run.id, {
    signal,
    timeoutMs: Number.POSITIVE_INFINITY,
    onProgress({ counts, problem }) {
      for (const now = counts.done + counts.failed; shown < now; shown++) progress.advance()
      if (problem !== null && problem !== told) tell(problem)
      told = problem
    },
  }).finally(() => progress.end())
  print(ended, wordsOf(ended))
  if (ended.counts.failed > 0 || ended.status === 'cancelled') throw new FoundWrong()
}

const totalOf = ({ counts }: ExperimentRun): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)

const wordsOf = ({ experimentId, status, counts, cost }: ExperimentRun): string =>
  [
    `Experiment ${experimentId}: ${status}`,
    Object.entries(counts)
      .filter(([, count]) => count > 0)
      .map(([state, count]) => `${count} ${state}`)
      .join(', '),
    cost > 0 ? `$${cost.toPrecision(3)}` : '',
  ]
    .filter((part) => part !== '')
    .join(', ')

async function targetOf({ client }: Session, options: StartOptions) {
  const { prompt, endpoint, version, tag, connection, model } = options
  if ((prompt === undefined) === (endpoint === undefined))
    throw new WrongUsage('Give either --prompt or --endpoint.')
  if (endpoint !== undefined)
    return {
      type: 'endpoint' as const,
      url: endpoint,
      ...(options.header && { headers: Object.fromEntries(options.header.map(readHeader)) }),
      ...(options.timeout && { timeoutMs: options.timeout }),
    }
  if (connection === undefined)
    throw new WrongUsage('Give the connection whose model is asked with --connection.')
  const { connections } = await client.connections.list()
  const found = connections.find(({ id, name }) => id === connection || name === connection)
  if (found === undefined) throw new WrongUsage(`There is no connection "${connection}".`)
  const asked = { slug: prompt!, ...(tag && { tag }) }
  const served = version ?? (await client.prompts.get(asked)).prompt.version
  return {
    type: 'prompt' as const,
    slug: prompt!,
    version: served,
    connectionId: found.id,
    ...(model && { model }),
  }
}

function readHeader(text: string): [string, string] {
  const colon = text.indexOf(':')
  if (colon < 1) throw new WrongUsage(`A header is like "Authorization: Bearer …", not "${text}".`)
  return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()]
}
