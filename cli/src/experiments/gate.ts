/** `experiments gate`: checks a candidate against a baseline, for CI. */
import { appendFileSync } from 'node:fs'
import {
  gateMarkdown,
  judgeGate,
  RuleUnreadable,
  readRules,
  WaitedTooLong,
  waitForJudging,
} from '@plumbline/sdk/gate'
import { CommandFailed, FoundWrong, type Session, WrongUsage } from '../session.ts'
import { table } from '../table.ts'

export interface GateOptions {
  readonly candidate: string
  readonly baseline: string
  readonly rule: readonly string[]
  readonly lower?: readonly string[]
  /** Timeout in seconds, or true for the default. */
  readonly wait?: number | true
  readonly markdown?: string
}

const waitSecondsDefault = 900

export async function gate(session: Session, options: GateOptions): Promise<void> {
  const { client, print } = session
  const { candidate, baseline, lower = [] } = options
  const rules = parseRules(options.rule)
  if (candidate === baseline) throw new WrongUsage('The candidate and the baseline are the same experiment.')
  if (options.wait !== undefined) await waitForEvaluations(session, [baseline, candidate], options.wait)
  const comparison = await client.experiments.compare({
    ids: `${baseline},${candidate}`,
    baseline,
    limit: 1,
    ...(lower.length > 0 && { lowerIsBetter: lower.join(',') }),
  })
  const verdict = judgeGate(comparison, candidate, rules)
  if (options.markdown !== undefined) {
    const address = `${session.url}/app/experiments/compare?ids=${baseline},${candidate}`
    appendFileSync(options.markdown, gateMarkdown(comparison, candidate, verdict, address))
  }
  const rows = verdict.rules.map(({ verdict: ruleVerdict, rule, reason }) => [ruleVerdict, rule, reason])
  const title = `The gate: ${verdict.verdict}, over ${comparison.caseCount} cases.`
  print(verdict, `${table(['verdict', 'rule', 'why'], rows)}\n${title}`)
  if (verdict.verdict !== 'pass') throw new FoundWrong()
}

function parseRules(lines: readonly string[]) {
  try {
    const rules = readRules(lines)
    if (rules.length === 0) throw new WrongUsage('Give at least one rule with --rule.')
    return rules
  } catch (error) {
    if (error instanceof RuleUnreadable) throw new WrongUsage(error.message)
    throw error
  }
}

async function waitForEvaluations(
  { client, tell, signal }: Session,
  ids: readonly string[],
  wait: number | true,
): Promise<void> {
  const timeoutMs = (wait === true ? waitSecondsDefault : wait) * 1000
  const deadline = performance.now() + timeoutMs
  try {
    for (const id of ids) {
      const left = Math.max(0, deadline - performance.now())
      const { failed } = await waitForJudging(client, id, { timeoutMs: left, signal })
      if (failed > 0) tell(`${failed} evaluations of the experiment ${id} failed.`)
    }
  } catch (error) {
    if (error instanceof WaitedTooLong) throw new CommandFailed(error.message)
    throw error
  }
}
