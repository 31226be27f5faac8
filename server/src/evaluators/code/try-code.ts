import type { Config, Judgement } from '../rules/judge.ts'
import type { Subject } from '../rules/subject.ts'
import { checkCode, judgeByCode } from './judge-by-code.ts'
import { CodeFailed } from './limits.ts'
import type { Sandbox } from './run-code.ts'

/** Code that takes this long in all is not tried any further: somebody waits. */
const allMsMax = 10_000

/**
 * Code to be tried on some subjects, from now on; where it gives no verdict, the comment says why. Throws
 * `invalid_request` for code that cannot be read.
 */
export async function tryCode(
  config: Config,
  sandbox: Sandbox,
): Promise<(subject: Subject) => Promise<Judgement>> {
  await checkCode(config, sandbox)
  const end = performance.now() + allMsMax
  return async (subject) => {
    if (performance.now() > end)
      return { value: null, comment: 'Not tried: the traces before took too long.' }
    try {
      return await judgeByCode(config, subject, sandbox)
    } catch (error) {
      if (error instanceof CodeFailed) return { value: null, comment: error.message }
      throw error
    }
  }
}
