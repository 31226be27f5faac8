/**
 * Detects personal data and secrets by their form. Each expression is anchored at the start of a run of its characters and
 * bounded in length, so that matching takes linear time.
 */
import { isIban, passesLuhn } from './checksums.ts'

export interface Detector {
  /** For the comment of a verdict. */
  readonly label: string
  readonly pattern: RegExp
  /** Rejects false positives. */
  readonly isReal?: (match: string) => boolean
}

const bare = (text: string): string => text.replace(/[\s-]/g, '')

/** Personal data. */
export const personalDetectors = {
  email: {
    label: 'e-mail address',
    pattern: /(?<![\w.%+-])[\w.%+-]{1,64}@(?:[a-z\d-]{1,63}\.){1,8}[a-z]{2,24}(?![\w-])/gi,
  },
  phone: {
    label: 'phone number',
    // With a country code, or without one for North America.
    pattern:
      /(?<![\w+.-])(?:\+[1-9]\d{0,2}(?:[ .-]?\(?\d{1,4}\)?){2,6}|(?:1[ .-])?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[.-])[2-9]\d{2}[ .-]\d{4})(?![\w-])/g,
    isReal: (match) => {
      const digits = match.replace(/\D/g, '').length
      return digits >= 8 && digits <= 15
    },
  },
  iban: {
    label: 'IBAN',
    pattern: /(?<![A-Z\d])[A-Z]{2}\d{2}(?: ?[A-Z\d]){11,30}/g,
    isReal: (match) => ibanIn(bare(match)),
  },
  credit_card: {
    label: 'card number',
    pattern: /(?<![\d.-])[3-6]\d{3}(?:[ -]?\d){8,15}(?![\d-])/g,
    isReal: (match) => {
      const digits = bare(match)
      return digits.length >= 13 && passesLuhn(digits) && !/^(\d)\1+$/.test(digits)
    },
  },
  ssn: {
    label: 'US social security number',
    // Excludes numbers that are never issued.
    pattern: /(?<![\d-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\d-])/g,
  },
} as const satisfies Record<string, Detector>

/** Credentials. */
export const secretDetectors = {
  openai: {
    label: 'OpenAI API key',
    pattern: /(?<![\w-])sk-(?!ant-)(?:(?:proj|svcacct|admin|None)-)?[\w-]{20,256}/g,
  },
  anthropic: { label: 'Anthropic API key', pattern: /(?<![\w-])sk-ant-[\w-]{20,256}/g },
  aws: { label: 'AWS access key', pattern: /(?<![A-Za-z\d])(?:AKIA|ASIA)[A-Z2-7]{16}(?![A-Za-z\d])/g },
  github: {
    label: 'GitHub token',
    pattern: /(?<!\w)(?:gh[pousr]_[A-Za-z\d]{36,255}|github_pat_\w{36,255})/g,
  },
  google: { label: 'Google API key', pattern: /(?<![\w-])AIza[\w-]{35}(?![\w-])/g },
  slack: { label: 'Slack token', pattern: /(?<![\w-])xox[abeoprs]-[A-Za-z\d-]{10,255}/g },
  stripe: { label: 'Stripe secret key', pattern: /(?<!\w)[rs]k_live_[A-Za-z\d]{16,255}/g },
  private_key: {
    label: 'private key',
    pattern: /-----BEGIN (?:[A-Z\d]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g,
  },
  jwt: {
    label: 'JSON Web Token',
    pattern: /(?<![\w-])eyJ[\w-]{10,2000}\.[\w-]{2,8000}\.[\w-]{10,2000}/g,
    isReal: (match) => isJwtHeader(match.slice(0, match.indexOf('.'))),
  },
} as const satisfies Record<string, Detector>

/** The number of real matches. */
export function countOf({ pattern, isReal }: Detector, text: string): number {
  let count = 0
  for (const [match] of text.matchAll(pattern)) if (isReal?.(match) ?? true) count += 1
  return count
}

/** Tries shorter prefixes too, since a word right after an IBAN looks like a part of it. */
function ibanIn(text: string): boolean {
  for (let length = text.length; length >= 15; length--) if (isIban(text.slice(0, length))) return true
  return false
}

function isJwtHeader(encoded: string): boolean {
  try {
    const header: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString())
    return typeof header === 'object' && header !== null && 'alg' in header
  } catch {
    // It only looks like a token.
    return false
  }
}
