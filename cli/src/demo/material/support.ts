/** Conversations of merchants with the support chat, written by hand; `{slots}` are filled for each session. */
import type { Language } from '../people.ts'
import { englishConversations } from './support-english.ts'
import { otherConversations } from './support-other-languages.ts'

export interface SupportTurn {
  /** Ways to say the same. */
  readonly user: readonly string[]
  readonly answer: string
  readonly tool?: { readonly name: string; readonly input: Record<string, unknown>; readonly output: unknown }
  /** The answer hands over to a person. */
  readonly isHandOver?: boolean
}

export interface SupportConversation {
  readonly language: Language
  readonly topic: 'order' | 'shipping' | 'refund' | 'billing' | 'account' | 'integration' | 'other'
  readonly isUrgent?: boolean
  readonly turns: readonly SupportTurn[]
}

export const conversations: readonly SupportConversation[] = [...englishConversations, ...otherConversations]

/** What the slots are filled with. */
export const products = [
  { sku: 'BC-2041', title: 'Ridge 45 backpack' },
  { sku: 'BC-1187', title: 'Enamel mug, 350 ml' },
  { sku: 'TW-0932', title: 'Cedar planter, large' },
  { sku: 'AW-5510', title: 'Merino base layer' },
  { sku: 'NL-0071', title: 'Oak stool "Föhr"' },
  { sku: 'KB-0003', title: 'Ethiopia Guji, whole bean, 1 kg' },
  { sku: 'HC-7720', title: 'Dynamo headlight' },
  { sku: 'LL-0410', title: 'Wooden train, 12 pieces' },
  { sku: 'SP-2200', title: 'Olive-oil soap, box of 6' },
  { sku: 'IP-0815', title: 'Letterpress calendar' },
] as const
export const carriers = ['DHL', 'DPD', 'UPS', 'Colissimo', 'PostNL', 'Yamato', 'Correos'] as const
export const cities = [
  'Leeds',
  'Lyon',
  'Graz',
  'Bergen',
  'Sevilla',
  'Porto',
  '大阪',
  '杭州',
  'Haifa',
  'Aarhus',
  'Galway',
] as const

/** What merchants write beside their thumb. */
export const comments = {
  good: [
    'Solved it.',
    'Fast, and in my language.',
    'Exactly the button I was looking for.',
    '👍',
    'Danke!',
    '助かりました',
  ],
  bad: [
    'I asked for a person three times.',
    'Wrong order.',
    'Told me to click a menu that is not there.',
    'Too long, I was on the phone.',
    'Réponse à côté de la question.',
  ],
} as const
