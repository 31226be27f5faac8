import type { Evaluator } from '@plumbline/contract'
import { checkCode } from './code/judge-by-code.ts'
import type { Sandbox } from './code/run-code.ts'
import { readHumanJudge } from './human-judge.ts'
import type { Config } from './rules/judge.ts'
import { isRuleKind, readRule } from './rules/rule.ts'

/** Throws `invalid_request`, naming the field that is wrong, for what a rule, code or people cannot judge by. */
export async function checkConfig(
  kind: Evaluator['kind'],
  config: Config,
  sandbox: Sandbox,
): Promise<void> {
  if (isRuleKind(kind)) readRule(kind, config)
  if (kind === 'human') readHumanJudge(config)
  if (kind === 'code') await checkCode(config, sandbox)
}
