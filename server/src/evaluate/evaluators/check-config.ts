/** Checks an evaluator's configuration when it is saved, rather than at its first evaluation. */
import { type Evaluator, invalid, judgedVariables } from '@plumbline/contract'
import { variablesOf } from '@plumbline/contract/templates/variables'
import type { Connection } from '@plumbline/storage/control'
import { checkEmbeds } from '../../outbound/connections/models.ts'
import { checkTemplate } from '../../workspace/check-template.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { checkCode } from './code/judge-by-code.ts'
import { readEmbeddingJudge } from './embedding/read-embedding-judge.ts'
import { readHumanJudge } from './human-judge.ts'
import { readModelJudge } from './model/read-model-judge.ts'
import type { Config } from './rules/judge.ts'
import { isRuleKind, readRule } from './rules/rule.ts'

/** Throws `invalid_request`, naming the invalid field. */
export async function checkConfig(
  kind: Evaluator['kind'],
  config: Config,
  { sandbox, connections }: Pick<Workspace, 'sandbox' | 'connections'>,
): Promise<void> {
  await checkJudge(kind, config, sandbox)
  if (kind === 'llm') await checkConnection(readModelJudge(config), connections)
  if (kind === 'embedding_similarity')
    checkEmbeds(await checkConnection(readEmbeddingJudge(config), connections), 'config.connectionId')
}

/** Like `checkConfig`, but without the connection, which is not part of an evaluator's export to another workspace. */
export async function checkJudge(
  kind: Evaluator['kind'],
  config: Config,
  sandbox: Workspace['sandbox'],
): Promise<void> {
  if (isRuleKind(kind)) readRule(kind, config)
  if (kind === 'human') readHumanJudge(config)
  if (kind === 'code') await checkCode(config, sandbox)
  if (kind === 'llm') {
    const judge = readModelJudge(config)
    checkJudgeTemplate(judge.template, 'config.template')
    checkJudgeTemplate(judge.systemTemplate ?? '', 'config.systemTemplate')
  }
  if (kind === 'embedding_similarity') readEmbeddingJudge(config)
}

/** Rejects unknown variables, which would render as empty text. */
function checkJudgeTemplate(template: string, path: string): void {
  checkTemplate(template, path)
  const names: readonly string[] = judgedVariables
  const unknown = variablesOf(template).find(({ label }) => !names.includes(label))
  if (unknown !== undefined)
    throw invalid(path, `uses the unknown variable "${unknown.label}"; available are ${names.join(', ')}`)
}

async function checkConnection(
  { connectionId }: { readonly connectionId: string },
  connections: Workspace['connections'],
): Promise<Connection> {
  const connection = await connections.find(connectionId)
  if (connection === undefined) throw invalid('config.connectionId', 'must be the id of a connection')
  return connection
}
