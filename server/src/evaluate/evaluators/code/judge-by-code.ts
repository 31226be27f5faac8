import { invalid } from '@plumbline/contract'
import type { Config, Verdict } from '../rules/judge.ts'
import { readNumber, readText } from '../rules/read-config.ts'
import type { Subject } from '../rules/subject.ts'
import { CodeFailed, defaultLimits, type Limits, sourceCharactersMax, timeoutMsMax } from './limits.ts'
import type { Sandbox } from './run-code.ts'

interface Code {
  readonly source: string
  readonly limits: Limits
}

/** The configuration of a `code` evaluator; throws `invalid_request` naming the invalid field. */
function readCode(config: Config): Code {
  const source = readText(config, 'source')
  if (source.length > sourceCharactersMax)
    throw invalid('config.source', `must have at most ${sourceCharactersMax} characters`)
  const timeoutMs = readNumber(config, 'timeoutMs') ?? defaultLimits.timeoutMs
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > timeoutMsMax)
    throw invalid('config.timeoutMs', `must be a whole number from 1 to ${timeoutMsMax}`)
  return { source, limits: { ...defaultLimits, timeoutMs } }
}

/** Throws `invalid_request` for code that does not compile or exports no function. */
export async function checkCode(config: Config, sandbox: Sandbox): Promise<void> {
  const { source } = readCode(config)
  try {
    await sandbox.checkCode(source)
  } catch (error) {
    if (!(error instanceof CodeFailed)) throw error
    throw Object.assign(invalid('config.source', `must be valid code. ${error.message}`), {
      cause: error,
    })
  }
}

/** The verdict of code on a subject. Rejects with `CodeFailed` if there is none. */
export function judgeByCode(config: Config, subject: Subject, sandbox: Sandbox): Promise<Verdict> {
  const { source, limits } = readCode(config)
  return sandbox.runCode(source, subject, limits)
}
