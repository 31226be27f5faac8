/** What an evaluator is told is checked when it is saved, so that it is not found wrong by what it should have judged. */
import { type Evaluator, invalid, judgedVariables } from '@plumbline/contract'
import { parseTemplate } from '@plumbline/contract/templates'
import { variablesOf } from '@plumbline/contract/templates/variables'
import type { Connection } from '@plumbline/storage/control'
import { checkEmbeds } from '../connections/models.ts'
import type { Workspace } from '../workspace.ts'
import { checkCode } from './code/judge-by-code.ts'
import { readEmbeddingJudge } from './embedding/read-embedding-judge.ts'
import { readHumanJudge } from './human-judge.ts'
import { readModelJudge } from './model/read-model-judge.ts'
import type { Config } from './rules/judge.ts'
import { isRuleKind, readRule } from './rules/rule.ts'

/** Throws `invalid_request`, naming the field that is wrong, for what nobody and nothing can judge by. */
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

/** The same without the connection, which stays behind when an evaluator moves to another workspace. */
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
    checkTemplate(judge.template, 'config.template')
    checkTemplate(judge.systemTemplate ?? '', 'config.systemTemplate')
  }
  if (kind === 'embedding_similarity') readEmbeddingJudge(config)
}

/** A name that nothing is given for would be rendered as nothing. */
function checkTemplate(template: string, path: string): void {
  const parsed = parseTemplate(template)
  if (parsed.type === 'failed') throw invalid(path, `must be a template. ${parsed.reason}`)
  const given: readonly string[] = judgedVariables
  const unknown = variablesOf(template).find(({ label }) => !given.includes(label))
  if (unknown !== undefined)
    throw invalid(path, `names "${unknown.label}", and a judge is given ${given.join(', ')}`)
}

async function checkConnection(
  { connectionId }: { readonly connectionId: string },
  connections: Workspace['connections'],
): Promise<Connection> {
  const connection = await connections.find(connectionId)
  if (connection === undefined) throw invalid('config.connectionId', 'must be the id of a connection')
  return connection
}
