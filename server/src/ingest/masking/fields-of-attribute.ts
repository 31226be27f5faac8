/**
 * The fields that an attribute of a span may belong to, by its name. There are hundreds of names, so this errs on the side
 * of too many: an attribute whose name says nothing may belong to any field that holds content.
 */
import type { MaskingField } from '@plumbline/contract'

const hints: readonly (readonly [RegExp, MaskingField])[] = [
  [/input|prompt|request|message|argument|question|query|instruction/i, 'input'],
  [/output|completion|response|result|message|answer|generated/i, 'output'],
  [/metadata|attribute|param|tag|session|conversation/i, 'metadata'],
  [/variable/i, 'variables'],
  [/user/i, 'user'],
  [/org|tenant|company|account/i, 'organization'],
  [/name/i, 'name'],
]

const content: readonly MaskingField[] = ['input', 'output', 'metadata', 'variables']

export function fieldsOfAttribute(key: string): readonly MaskingField[] {
  const fields = hints.filter(([hint]) => hint.test(key)).map(([, field]) => field)
  // Whom it names does not say what else it is.
  return fields.some((field) => content.includes(field))
    ? [...fields, 'comment']
    : [...content, ...fields, 'comment']
}
