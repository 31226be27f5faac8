/** Rules that mask personal data before it is stored. */
import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import { NamedObject } from '../interface/shapes.ts'

/** The built-in detectors. */
export const maskingDetectors = ['email', 'card', 'iban', 'phone', 'ip', 'api-key'] as const
export type MaskingDetector = (typeof maskingDetectors)[number]

/** The parts of a trace that a rule may be limited to. */
export const maskingFields = [
  'input',
  'output',
  'metadata',
  'variables',
  'user',
  'organization',
  'name',
  'comment',
] as const
export type MaskingField = (typeof maskingFields)[number]

export const maskingActions = ['mask', 'hash', 'drop'] as const
export type MaskingAction = (typeof maskingActions)[number]

export const maskingRulesMax = 100
export const maskingPatternLengthMax = 1000
/** Maximum number of keys that follow the field in a path. */
export const maskingPathStepsMax = 32
/** Maximum number of `**` in a path: each one multiplies the places that it can match. */
export const maskingPathDepthsMax = 3
/** Maximum number of traces that one rehearsal reads. */
export const rehearsedTracesMax = 200

const common = {
  name: Type.String({ minLength: 1, maxLength: 100, description: 'Display name of the rule.' }),
  action: Type.Enum([...maskingActions], {
    description:
      '`mask` replaces each match with a fixed text, `hash` with a keyed hash that is equal for equal values; `drop` replaces the whole value with null.',
  }),
  text: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        'Replacement text; when absent, the detector in brackets, such as `[email]`, else `[masked]`.',
    }),
  ),
  fields: Type.Optional(
    Type.Array(Type.Enum([...maskingFields]), {
      maxItems: maskingFields.length,
      description: 'The fields it applies to; all of them when absent or empty.',
    }),
  ),
  features: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
      maxItems: 100,
      description: 'Slugs of the features whose traces it applies to; all traces when absent or empty.',
    }),
  ),
  enabled: Type.Optional(Type.Boolean({ description: 'Whether it applies; true when absent.' })),
}

const DetectorRule = NamedObject('MaskingDetectorRule', 'Masks what a built-in detector finds.', {
  type: Type.Enum(['detector'], { description: 'A built-in detector.' }),
  detector: Type.Enum([...maskingDetectors], { description: 'What to find.' }),
  ...common,
})

const PatternRule = NamedObject('MaskingPatternRule', 'Masks what a regular expression matches.', {
  type: Type.Enum(['pattern'], { description: 'A regular expression.' }),
  pattern: Type.String({
    minLength: 1,
    maxLength: maskingPatternLengthMax,
    description:
      'A regular expression in RE2 syntax, without lookaround and backreferences; `(?i)` at the start ignores case.',
  }),
  ...common,
})

const PathRule = NamedObject('MaskingPathRule', 'Masks everything below a place.', {
  type: Type.Enum(['path'], { description: 'A place in the fields of a trace and its logs.' }),
  path: Type.String({
    minLength: 1,
    maxLength: 300,
    description:
      'A field, then at most 32 keys and indexes, such as `metadata.customer.email` or `input.messages[*].content`; `*` matches any one key, `**` any number of keys; `**` may occur three times.',
  }),
  ...common,
})

export type MaskingRule = Static<typeof DetectorRule> | Static<typeof PatternRule> | Static<typeof PathRule>

const MaskingRule = Type.Unsafe<MaskingRule>({
  description: 'A rule; `type` selects the shape.',
  type: 'object',
  required: ['type', 'name', 'action'],
  discriminator: { propertyName: 'type' },
  oneOf: [DetectorRule, PatternRule, PathRule],
})

const MaskingRules = Type.Array(MaskingRule, {
  maxItems: maskingRulesMax,
  description: 'The rules, in the order in which they apply; at most 100.',
})

export const get = operation({
  name: 'masking.get',
  method: 'GET',
  path: '/masking',
  summary: 'Returns the rules that mask personal data before it is stored.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({}),
  success: 200,
  output: Type.Object({ rules: MaskingRules }),
  errors: [],
})

export const update = operation({
  name: 'masking.update',
  method: 'PUT',
  path: '/masking',
  summary:
    'Replaces the rules. They apply to records that arrive from then on, on this node at once and on other nodes within seconds; stored traces stay as they are.',
  scope: 'manage',
  role: 'admin',
  input: Type.Object({ rules: MaskingRules }),
  success: 200,
  output: Type.Object({ rules: MaskingRules }),
  errors: ['invalid_request'],
})

const Fragment = (description: string) =>
  Type.Object(
    {
      text: Type.String({ description: 'The match with some text around it.' }),
      start: Type.Integer({ description: 'Where the marked part begins in `text`.' }),
      end: Type.Integer({ description: 'Where the marked part ends in `text`.' }),
    },
    { description },
  )

const RehearsedRule = Type.Object({
  index: Type.Integer({ description: 'Position of the rule in the request.' }),
  hits: Type.Integer({ description: 'Number of places it changed.' }),
  traces: Type.Integer({ description: 'Number of traces it changed.' }),
  samples: Type.Array(
    Type.Object({
      traceId: Type.String({ format: 'uuid', description: 'Id of the trace.' }),
      place: Type.String({ description: 'Where in the trace, such as `logs[2].input.messages[0].content`.' }),
      before: Fragment('The text before the rule.'),
      after: Fragment('The text after the rule.'),
    }),
    { description: 'The first five places.' },
  ),
})
export type RehearsedRule = Static<typeof RehearsedRule>

export const rehearse = operation({
  name: 'masking.rehearse',
  method: 'POST',
  path: '/masking/rehearse',
  summary: 'Returns what the rules would have changed in the newest traces. Nothing is saved.',
  scope: 'manage',
  role: 'admin',
  input: Type.Object({
    rules: MaskingRules,
    traces: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: rehearsedTracesMax,
        description: 'Number of newest traces to read; 50 when absent.',
      }),
    ),
  }),
  success: 200,
  output: Type.Object({
    traces: Type.Integer({ description: 'Number of traces read.' }),
    changed: Type.Integer({ description: 'Number of them that the rules would have changed.' }),
    rules: Type.Array(RehearsedRule, {
      description: 'One entry for each rule, in the order of the request.',
    }),
  }),
  errors: ['invalid_request'],
})
