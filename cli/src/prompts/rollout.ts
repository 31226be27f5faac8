/** `plumbline prompts rollout`: serves a version to a percentage of users first, and reports how it performs. */
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
      'Shows the running rollout of a tag and compares both versions; or starts, changes or ends it.',
    )
    .argument('<slug>', 'slug of the prompt')
    .option('--tag <tag>', 'the tag', 'production')
    .option('--start <version>', 'serve this version to a percentage of requests for the tag')
    .option('--share <percent>', 'percentage that gets the candidate', parsePercent)
    .option('--alert <ids...>', 'roll back when one of these alerts fires')
    .option('--promote', 'move the tag to the candidate')
    .option('--rollback [reason]', 'serve the tagged version to everyone again')
    .action(action(rollout))
}

function parsePercent(text: string): number {
  const value = Number(text.replace(/%$/, ''))
  if (!(value >= 0 && value <= percentMax))
    throw new InvalidArgumentError(`It must be a number from 0 to ${percentMax}.`)
  return value
}

async function rollout({ client, print }: Session, slug: string, options: Options): Promise<void> {
  const { tag, start, share, alert, promote, rollback } = options
  if ([start, promote, rollback].filter((option) => option !== undefined).length > 1)
    throw new WrongUsage('Use only one of --start, --promote and --rollback.')
  const alertIds = alert === undefined ? {} : { alertIds: [...alert] }
  if (start !== undefined) {
    if (share === undefined) throw new WrongUsage('--start needs --share.')
    const input = { promptSlug: slug, tag, candidateVersion: start, share: share / percentMax, ...alertIds }
    return printRollout(print, (await client.rollouts.create(input)).rollout)
  }
  const { rollouts } = await client.rollouts.list({ promptSlug: slug, status: 'running' })
  const running = rollouts.find((candidate) => candidate.tag === tag)
  if (running === undefined)
    throw new CommandFailed(`No rollout of "${slug}" is running for the tag "${tag}".`)
  const { id } = running
  if (promote) return printRollout(print, (await client.rollouts.promote({ id })).rollout)
  if (rollback) {
    const reason = rollback === true ? null : rollback
    return printRollout(print, (await client.rollouts.rollback({ id, reason })).rollout)
  }
  if (share !== undefined || alert !== undefined) {
    const change = { id, ...(share === undefined ? {} : { share: share / percentMax }), ...alertIds }
    return printRollout(print, (await client.rollouts.update(change)).rollout)
  }
  const comparison = await client.rollouts.compare({ id })
  print({ rollout: running, comparison }, `${describeRollout(running)}\n\n${formatComparison(comparison)}`)
}

const printRollout = (print: Session['print'], value: Rollout): void => print(value, describeRollout(value))

function describeRollout({
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
      return `${promptSlug}, ${tag}: ${candidateVersion} was rolled back; everyone gets ${baselineVersion}.${why}`
    case 'stopped':
      return `${promptSlug}, ${tag}: the rollout of ${candidateVersion} was stopped.${why}`
  }
}

function formatComparison({ baseline, candidate, measures }: Comparison): string {
  const rows = measures.map((measure) => [
    measure.name,
    formatNumber(measure.baseline?.mean),
    formatNumber(measure.candidate?.mean),
    formatNumber(measure.difference?.value),
    formatInterval(measure),
  ])
  const counts = ['calls', String(baseline.calls), String(candidate.calls), '', '']
  return table(
    ['measure', baseline.version, candidate.version, 'difference', '95 % interval'],
    [counts, ...rows],
  )
}

const formatInterval = ({ difference }: RolloutMeasure): string =>
  difference === null || difference.low === null || difference.high === null
    ? ''
    : `${formatNumber(difference.low)} to ${formatNumber(difference.high)}`

const formatNumber = (value: number | undefined): string =>
  value === undefined ? '' : String(Number(value.toPrecision(3)))
