/**
 * The fields that a span attribute may belong to, by its name. There are hundreds of names, so this errs on the side of
 * too many: an attribute with an unknown name may belong to any field that holds content.
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
  // A name that only mentions a user or an organization does not rule out content.
  return fields.some((field) => content.includes(field))
    ? [...fields, 'comment']
    : [...content, ...fields, 'comment']
}
