/** Finds API keys, tokens and private keys by their shapes. */
import { type Find, findMatches, type Hit } from './hit.ts'

interface Shape {
  /** A string that every hit contains: searching for it is cheaper than running the pattern. */
  readonly hint: string
  readonly form: RegExp
  readonly accepts?: (key: string) => boolean
}

/** Otherwise hyphenated words would match. */
const hasDigit = (key: string): boolean => /\d/.test(key)

/** No pattern may match from within its own run of characters: a text of many starts would take quadratic time. */
const shapes = {
  openai: {
    hint: 'sk-',
    form: /(?<![\w-])sk-(?!ant-)[\w-]{20,}/g,
    accepts: (key) => hasDigit(key) || /^sk-(?:proj|svcacct|admin|None)-/.test(key),
  },
  anthropic: { hint: 'sk-ant-', form: /(?<![\w-])sk-ant-[\w-]{16,}/g, accepts: hasDigit },
  // Long-term and temporary access keys.
  aws: {
    hint: 'IA',
    form: /(?<![A-Za-z\d])A[KS]IA[A-Z\d]{16}(?![A-Za-z\d])/g,
    accepts: (key) => key.startsWith('AKIA') || hasDigit(key),
  },
  github: { hint: 'gh', form: /(?<![A-Za-z\d])gh[pousr]_[A-Za-z\d]{36,}/g },
  githubFineGrained: { hint: 'github_pat_', form: /(?<!\w)github_pat_\w{22,}/g },
  slack: { hint: 'xox', form: /(?<![\w-])xox[a-z]-[\w-]{10,}/g },
  slackApp: { hint: 'xapp-', form: /(?<![\w-])xapp-[\w-]{10,}/g },
  google: { hint: 'AIza', form: /(?<![\w-])AIza[\w-]{35,}/g },
  stripe: { hint: 'k_live_', form: /(?<!\w)[sr]k_live_[A-Za-z\d]{16,}/g },
  stripeTest: { hint: 'k_test_', form: /(?<!\w)[sr]k_test_[A-Za-z\d]{16,}/g },
  huggingFace: { hint: 'hf_', form: /(?<!\w)hf_[A-Za-z\d]{30,}/g },
  gitlab: { hint: 'glpat-', form: /(?<![\w-])glpat-[\w-]{20,}/g },
  npm: { hint: 'npm_', form: /(?<!\w)npm_[A-Za-z\d]{36,}/g },
  plumbline: { hint: 'pl_', form: /(?<![A-Za-z\d])pl_[A-Za-z\d]{40,}/g },
  // A base64 JSON object starts like this: JSON Web Tokens, and cookies of the same form.
  signedObject: { hint: 'eyJ', form: /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g },
} as const satisfies Record<string, Shape>

export type CredentialShape = keyof typeof shapes

const keyBegin = /-----BEGIN [A-Z\d ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g
const keyEnd = /-----END [A-Z\d ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g

/** Finds credentials of the given shapes. */
export const findShapes =
  (...names: readonly CredentialShape[]): Find =>
  (text) =>
    withoutOverlaps(
      names.flatMap((name) => {
        const { hint, form, accepts }: Shape = shapes[name]
        return text.includes(hint) ? findMatches(text, form, accepts) : []
      }),
    )

/** A truncated private key extends to the end of the text. */
export const findPrivateKeys: Find = (text) => {
  if (!text.includes('PRIVATE KEY')) return []
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

/** JSON Web Tokens: their header names the algorithm. */
export const findJwts: Find = (text) =>
  findSignedObjects(text).filter(({ start, end }) => isJwt(text.slice(start, end)))

const findSignedObjects = findShapes('signedObject')

// Safe: the names are those of the object.
const findAllShapes = findShapes(...(Object.keys(shapes) as CredentialShape[]))

/** Credentials of all shapes. */
export const findCredentials: Find = (text) =>
  withoutOverlaps([...findAllShapes(text), ...findPrivateKeys(text)])

function isJwt(token: string): boolean {
  const [header = '', , signature = ''] = token.split('.')
  if (signature.length < 10) return false
  try {
    const value: unknown = JSON.parse(Buffer.from(header, 'base64url').toString())
    return typeof value === 'object' && value !== null && 'alg' in value
  } catch {
    // It only looks like a token.
    return false
  }
}

function withoutOverlaps(hits: Hit[]): Hit[] {
  if (hits.length < 2) return hits
  let end = 0
  const ordered = hits.sort((a, b) => a.start - b.start || b.end - a.end)
  return ordered.filter((hit) => {
    if (hit.start < end) return false
    end = hit.end
    return true
  })
}
