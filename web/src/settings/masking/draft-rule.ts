/** A masking rule in the editor: with the values of all rule types, so that switching the type loses none. */
import type { Output } from '../../app/api.ts'

export type MaskingRule = Output<'masking.get'>['rules'][number]
export type RehearsedRule = Output<'masking.rehearse'>['rules'][number]
type Detector = Extract<MaskingRule, { type: 'detector' }>['detector']
export type Field = NonNullable<MaskingRule['fields']>[number]

export interface DraftRule {
  readonly key: string
  readonly name: string
  readonly type: MaskingRule['type']
  readonly detector: Detector
  readonly pattern: string
  readonly path: string
  readonly action: MaskingRule['action']
  readonly text: string
  readonly fields: readonly Field[]
  /** Slugs, separated by commas. */
  readonly features: string
  readonly isEnabled: boolean
}

export const detectorLabels: Readonly<Record<Detector, string>> = {
  email: 'E-mail addresses',
  card: 'Card numbers',
  iban: 'IBANs',
  phone: 'Phone numbers',
  ip: 'IP addresses',
  'api-key': 'API keys and tokens',
}

export const fieldLabels: Readonly<Record<Field, string>> = {
  input: 'Input',
  output: 'Output',
  metadata: 'Metadata',
  variables: 'Variables',
  user: 'User',
  organization: 'Organization',
  name: 'Names',
  comment: 'Score comments',
}

let lastKey = 0

export const newRule = (detector: Detector = 'email'): DraftRule => ({
  key: `rule-${++lastKey}`,
  name: detectorLabels[detector],
  type: 'detector',
  detector,
  pattern: '',
  path: '',
  action: 'mask',
  text: '',
  fields: [],
  features: '',
  isEnabled: true,
})

export const toDraft = (rule: MaskingRule): DraftRule => ({
  ...newRule(),
  name: rule.name,
  type: rule.type,
  ...(rule.type === 'detector' && { detector: rule.detector }),
  ...(rule.type === 'pattern' && { pattern: rule.pattern }),
  ...(rule.type === 'path' && { path: rule.path }),
  action: rule.action,
  text: rule.text ?? '',
  fields: rule.fields ?? [],
  features: rule.features?.join(', ') ?? '',
  isEnabled: rule.enabled !== false,
})

export function toRule(draft: DraftRule): MaskingRule {
  const { name, action, text, fields, features, isEnabled } = draft
  const slugs = features.split(/[\s,]+/).filter((slug) => slug !== '')
  const common = {
    name: name.trim(),
    action,
    ...(text !== '' && action === 'mask' && { text }),
    ...(fields.length > 0 && { fields: [...fields] }),
    ...(slugs.length > 0 && { features: slugs }),
    ...(!isEnabled && { enabled: false }),
  }
  switch (draft.type) {
    case 'detector':
      return { type: 'detector', detector: draft.detector, ...common }
    case 'pattern':
      return { type: 'pattern', pattern: draft.pattern, ...common }
    case 'path':
      return { type: 'path', path: draft.path.trim(), ...common }
  }
}

/** The rule and the field in an error of the service, such as `rules[2].pattern: …`. */
export function problemIn(message: string): { index: number; field: string; problem: string } | undefined {
  const [, index, field, problem] = /^rules\[(\d+)\](?:\.(\w+))?: (.*)$/s.exec(message) ?? []
  return index === undefined
    ? undefined
    : { index: Number(index), field: field ?? '', problem: problem ?? '' }
}
