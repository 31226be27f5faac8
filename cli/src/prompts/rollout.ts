/** `plumbline prompts rollout`: serves a version to some first, and tells how it does. */
import type { OutputOf, operations, Rollout, RolloutMeasure } from '@plumbline/sdk'
import { type Command, InvalidArgumentError } from 'commander'
import { CommandFailed, type CommandParts, type Session, WrongUsage } from '../session.ts'
import { table } from '../table.ts'

interface Options {
  readonly tag: string
  readonly start?: string
  readonly share?: number
  readonly alert?: readonly string[]
  readonly promote?: boolean
  readonly rollback?: boolean | string
}

type Comparison = OutputOf<typeof operations.rollouts.compare>

const percentMax = 100

export function addRollout(prompts: Command, action: CommandParts['action']): void {
  prompts
    .command('rollout')
    .description(
      'Shows the rollout of a tag that runs, and how both versions do; or starts, changes or ends it.',
    )
    .argument('<slug>', 'slug of the prompt')
    .option('--tag <tag>', 'the tag', 'production')
    .option('--start <version>', 'serve this version to a share of those who ask for the tag')
    .option('--share <percent>', 'to how many in a hundred', percent)
    .option('--alert <ids...>', 'roll back when one of these alerts fires')
    .option('--promote', 'move the tag to the candidate')
    .option('--rollback [reason]', 'serve everyone the version with the tag again')
    .action(action(rollout))
}

function percent(text: string): number {
  const value = Number(text.replace(/%$/, ''))
  if (!(value >= 0 && value <= percentMax))
    throw new InvalidArgumentError(`It must be a number from 0 to ${percentMax}.`)
  return value
}

async function rollout({ client, print }: Session, slug: string, options: Options): Promise<void> {
  const { tag, start, share, alert, promote, rollback } = options
  if ([start, promote, rollback].filter((of) => of !== undefined).length > 1)
    throw new WrongUsage('Give one of --start, --promote and --rollback.')
  const alertIds = alert === undefined ? {} : { alertIds: [...alert] }
  if (start !== undefined) {
    if (share === undefined) throw new WrongUsage('--start needs --share.')
    const begun = { promptSlug: slug, tag, candidateVersion: start, share: share / percentMax, ...alertIds }
    return tell(print, (await client.rollouts.create(begun)).rollout)
  }
  const { rollouts } = await client.rollouts.list({ promptSlug: slug, status: 'running' })
  const running = rollouts.find((one) => one.tag === tag)
  if (running === undefined) throw new CommandFailed(`No rollout of "${slug}" runs for the tag "${tag}".`)
  const { id } = running
  if (promote) return tell(print, (await client.rollouts.promote({ id })).rollout)
  if (rollback) {
    const reason = rollback === true ? null : rollback
    return tell(print, (await client.rollouts.rollback({ id, reason })).rollout)
  }
  if (share !== undefined || alert !== undefined) {
    const change = { id, ...(share === undefined ? {} : { share: share / percentMax }), ...alertIds }
    return tell(print, (await client.rollouts.update(change)).rollout)
  }
  const comparison = await client.rollouts.compare({ id })
  print({ rollout: running, comparison }, `${sentence(running)}\n\n${inColumns(comparison)}`)
}

const tell = (print: Session['print'], of: Rollout): void => print(of, sentence(of))

function sentence({
  promptSlug,
  tag,
  baselineVersion,
  candidateVersion,
  share,
  status,
  reason,
}: Rollout): string {
  const percent = `${Number((share * percentMax).toFixed(2))} %`
  const why = reason === undefined ? '' : ` ${reason}`
  switch (status) {
    case 'running':
      return `${promptSlug}, ${tag}: ${candidateVersion} to ${percent}, ${baselineVersion} to the others.`
    case 'promoted':
      return `${promptSlug}, ${tag}: ${candidateVersion} was promoted.${why}`
    case 'rolled_back':
      return `${promptSlug}, ${tag}: ${candidateVersion} was rolled back, everyone gets ${baselineVersion}.${why}`
    case 'stopped':
      return `${promptSlug}, ${tag}: the rollout of ${candidateVersion} was stopped.${why}`
  }
}

function inColumns({ baseline, candidate, measures }: Comparison): string {
  const rows = measures.map((measure) => [
    measure.name,
    written(measure.baseline?.mean),
    written(measure.candidate?.mean),
    written(measure.difference?.value),
    intervalOf(measure),
  ])
  const counts = ['calls', String(baseline.calls), String(candidate.calls), '', '']
  return table(
    ['measure', baseline.version, candidate.version, 'difference', '95 % interval'],
    [counts, ...rows],
  )
}

const intervalOf = ({ difference }: RolloutMeasure): string =>
  difference === null || difference.low === null || difference.high === null
    ? ''
    : `${written(difference.low)} to ${written(difference.high)}`

const written = (value: number | undefined): string =>
  value === undefined ? '' : String(Number(value.toPrecision(3)))
