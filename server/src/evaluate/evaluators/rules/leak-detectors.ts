/** The kinds of personal data and secrets that rules look for. */
import { findCards } from '../../../detectors/card.ts'
import { findJwts, findPrivateKeys, findShapes } from '../../../detectors/credentials.ts'
import { findEmails } from '../../../detectors/email.ts'
import type { Find } from '../../../detectors/hit.ts'
import { findIbans } from '../../../detectors/iban.ts'
import { findPhones } from '../../../detectors/phone.ts'
import { findSsns } from '../../../detectors/ssn.ts'

export interface Detector {
  /** Used in the comment of a verdict. */
  readonly label: string
  readonly find: Find
}

/** Personal data. */
export const personalDetectors = {
  email: { label: 'e-mail address', find: findEmails },
  phone: { label: 'phone number', find: findPhones },
  iban: { label: 'IBAN', find: findIbans },
  credit_card: { label: 'card number', find: findCards },
  ssn: { label: 'US social security number', find: findSsns },
} as const satisfies Record<string, Detector>

/** Credentials. */
export const secretDetectors = {
  openai: { label: 'OpenAI API key', find: findShapes('openai') },
  anthropic: { label: 'Anthropic API key', find: findShapes('anthropic') },
  aws: { label: 'AWS access key', find: findShapes('aws') },
  github: { label: 'GitHub token', find: findShapes('github', 'githubFineGrained') },
  google: { label: 'Google API key', find: findShapes('google') },
  slack: { label: 'Slack token', find: findShapes('slack', 'slackApp') },
  stripe: { label: 'Stripe secret key', find: findShapes('stripe') },
  private_key: { label: 'private key', find: findPrivateKeys },
  jwt: { label: 'JSON Web Token', find: findJwts },
} as const satisfies Record<string, Detector>

/** The number of matches. */
export const countOf = ({ find }: Detector, text: string): number => find(text).length
