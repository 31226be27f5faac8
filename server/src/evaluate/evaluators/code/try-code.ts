import type { Config, Verdict } from '../rules/judge.ts'
import type { Subject } from '../rules/subject.ts'
import { checkCode, judgeByCode } from './judge-by-code.ts'
import { CodeFailed } from './limits.ts'
import type { Sandbox } from './run-code.ts'

/** Total time budget of a test, since a user waits for the response. */
const allMsMax = 10_000

/**
 * A function that tests code on subjects, within a time budget that starts now; without a verdict, the comment says why.
 * Throws `invalid_request` for code that does not compile.
 */
export async function makeCodeTest(
  config: Config,
  sandbox: Sandbox,
): Promise<(subject: Subject) => Promise<Verdict>> {
  await checkCode(config, sandbox)
  const end = performance.now() + allMsMax
  return async (subject) => {
    if (performance.now() > end) return { value: null, comment: 'Not tried: earlier traces took too long.' }
    try {
      return await judgeByCode(config, subject, sandbox)
    } catch (error) {
      if (error instanceof CodeFailed) return { value: null, comment: error.message }
      throw error
    }
  }
}
