import { type Find, findMatches, type Hit } from '../hit.ts'

const hasDigit = (key: string): boolean => /\d/.test(key)

/**
 * Shapes of keys and tokens. None may begin inside the run of signs that it consists of: a text of beginnings alone would
 * take quadratic time.
 */
const shapes: readonly {
  readonly hint: string
  readonly form: RegExp
  readonly accepts?: (key: string) => boolean
}[] = [
  // OpenAI and Anthropic (sk-ant-, sk-proj-).
  { hint: 'sk-', form: /(?<![\w-])sk-[\w-]{20,}/g, accepts: hasDigit },
  // Amazon Web Services.
  { hint: 'AKIA', form: /(?<![A-Za-z\d])AKIA[A-Z\d]{16}(?![A-Za-z\d])/g },
  { hint: 'ASIA', form: /(?<![A-Za-z\d])ASIA[A-Z\d]{16}(?![A-Za-z\d])/g, accepts: hasDigit },
  // GitHub.
  { hint: 'gh', form: /(?<![A-Za-z\d])gh[pousr]_[A-Za-z\d]{36,}/g },
  { hint: 'github_pat_', form: /(?<!\w)github_pat_\w{22,}/g },
  // Slack.
  { hint: 'xox', form: /(?<![\w-])xox[a-z]-[\w-]{10,}/g },
  { hint: 'xapp-', form: /(?<![\w-])xapp-[\w-]{10,}/g },
  // Google.
  { hint: 'AIza', form: /(?<![\w-])AIza[\w-]{35,}/g },
  // Stripe, Hugging Face, GitLab, npm.
  { hint: 'k_', form: /(?<!\w)[sr]k_(?:live|test)_[A-Za-z\d]{16,}/g },
  { hint: 'hf_', form: /(?<!\w)hf_[A-Za-z\d]{30,}/g },
  { hint: 'glpat-', form: /(?<![\w-])glpat-[\w-]{20,}/g },
  { hint: 'npm_', form: /(?<!\w)npm_[A-Za-z\d]{36,}/g },
  // Plumbline.
  { hint: 'pl_', form: /(?<![A-Za-z\d])pl_[A-Za-z\d]{40,}/g },
  // JSON Web Tokens: the first part is an object, so it begins with `{"` in base64.
  { hint: 'eyJ', form: /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g },
]

const keyBegin = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/g
const keyEnd = /-----END [A-Z ]{0,40}PRIVATE KEY-----/g

/** API keys, tokens and private keys by their shapes. */
export const findApiKeys: Find = (text) => {
  const all = shapes.flatMap(({ hint, form, accepts }) =>
    text.includes(hint) ? findMatches(text, form, accepts) : [],
  )
  if (text.includes('PRIVATE KEY-----')) all.push(...findPrivateKeys(text))
  return all.length < 2 ? all : withoutOverlaps(all)
}

/** One that is cut off is one up to the end of the text. */
function findPrivateKeys(text: string): Hit[] {
  const hits: Hit[] = []
  keyBegin.lastIndex = 0
  for (let begin = keyBegin.exec(text); begin !== null; begin = keyBegin.exec(text)) {
    keyEnd.lastIndex = keyBegin.lastIndex
    const end = keyEnd.exec(text) === null ? text.length : keyEnd.lastIndex
    hits.push({ start: begin.index, end })
    keyBegin.lastIndex = end
  }
  return hits
}

function withoutOverlaps(hits: Hit[]): Hit[] {
  let end = 0
  const ordered = hits.sort((a, b) => a.start - b.start || b.end - a.end)
  return ordered.filter((hit) => {
    if (hit.start < end) return false
    end = hit.end
    return true
  })
}
