import { invalid } from '@plumbline/contract'
import type { Config, Judgement } from '../rules/judge.ts'
import { readNumber, readText } from '../rules/read-config.ts'
import type { Subject } from '../rules/subject.ts'
import { CodeFailed, defaultLimits, type Limits, sourceCharactersMax, timeoutMsMax } from './limits.ts'
import type { Sandbox } from './run-code.ts'

interface Code {
  readonly source: string
  readonly limits: Limits
}

/** The configuration of an evaluator of the kind `code`; throws `invalid_request` naming the field that is wrong. */
export function readCode(config: Config): Code {
  const source = readText(config, 'source')
  if (source.length > sourceCharactersMax)
    throw invalid('config.source', `must have at most ${sourceCharactersMax} characters`)
  const timeoutMs = readNumber(config, 'timeoutMs') ?? defaultLimits.timeoutMs
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > timeoutMsMax)
    throw invalid('config.timeoutMs', `must be a whole number from 1 to ${timeoutMsMax}`)
  return { source, limits: { ...defaultLimits, timeoutMs } }
}

/** Throws `invalid_request` for code that cannot be read, or has no function to call. */
export async function checkCode(config: Config, sandbox: Sandbox): Promise<void> {
  const { source } = readCode(config)
  try {
    await sandbox.checkCode(source)
  } catch (error) {
    if (!(error instanceof CodeFailed)) throw error
    throw Object.assign(invalid('config.source', `must be code that can be read. ${error.message}`), {
      cause: error,
    })
  }
}

/** What code says of a subject. Rejects with `CodeFailed` where it says nothing. */
export function judgeByCode(config: Config, subject: Subject, sandbox: Sandbox): Promise<Judgement> {
  const { source, limits } = readCode(config)
  return sandbox.runCode(source, subject, limits)
}
