/** Which passwords are refused. The lists of common passwords and words are loaded when the first password is set. */
import { invalid } from '@plumbline/contract'
import type { ZxcvbnFactory } from '@zxcvbn-ts/core'

export const passwordLengthMin = 10
export const passwordLengthMax = 128

/** The minimum zxcvbn score, from 0 to 4: 3 means at least 100 million guesses. */
const scoreMin = 3
/** How many characters of a password are rated: the work grows faster than the length. */
const judgedLength = 32

let estimator: Promise<ZxcvbnFactory> | undefined

/** Refuses a password that is too short, too long or easy to guess; `personal` is what others know about the user. */
export async function refuseWeakPassword(
  password: string,
  {
    field = 'password',
    personal = [],
  }: { readonly field?: string; readonly personal?: readonly string[] } = {},
): Promise<void> {
  if (password.length < passwordLengthMin || password.length > passwordLengthMax)
    throw invalid(field, `must have ${passwordLengthMin} to ${passwordLengthMax} characters`)
  estimator ??= loadEstimator()
  const guessable = ['plumbline', ...personal.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)])]
    .filter((word) => word.length > 2)
    .map((word) => word.slice(0, judgedLength))
  const { score, feedback } = (await estimator).check(password.slice(0, judgedLength), guessable)
  if (score >= scoreMin) return
  const reasons = [feedback.warning, ...feedback.suggestions].filter(Boolean).join(' ')
  throw invalid(field, `is too easy to guess. ${reasons === '' ? 'Add a word or two.' : reasons}`)
}

async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [core, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ])
  return new core.ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
    translations: english.translations,
  })
}
