/** Masks an accepted record or a rejected body before it is written. Never throws because of the contents of a body. */
import { parseJsonBytes } from '@plumbline/storage/parse-json-text'
import { scanJson } from '../../json/json-text.ts'
import type { AcceptedRecord } from '../monitor/record.ts'
import type { CompiledRules, PathRule, RuleSet } from './compile-rules.ts'
import { maskExport } from './mask-export.ts'
import { dropped, maskText, type TextContext } from './mask-text.ts'
import { maskLog, maskTrace } from './mask-trace.ts'
import { maskRequiredText, maskValue } from './mask-value.ts'
import { begin, type PathPositions } from './path.ts'

export interface StoredRecord<Of extends AcceptedRecord = AcceptedRecord> {
  readonly accepted: Of
  readonly body: Buffer
}

type Fields = Readonly<Record<string, unknown>>
type Context = Omit<TextContext, 'rules'>

/** The record with everything masked that its workspace's rules match. */
export function maskRecord(
  { accepted, body }: StoredRecord,
  rules: CompiledRules,
  context: Context,
): StoredRecord {
  switch (accepted.type) {
    case 'trace': {
      const set = rules.forFeature(accepted.featureSlug)
      const masked = maskTrace(parse(body), { ...context, rules: set })
      return { accepted: withWarning(accepted, set, context), body: encode(masked) }
    }
    case 'log': {
      const set = rules.forFeature(accepted.featureSlug)
      const masked = maskLog(parse(body), { ...context, rules: set })
      return { accepted: withWarning(accepted, set, context), body: encode(masked) }
    }
    case 'score':
      return maskScore(accepted, body, rules.forFeature(undefined), context)
    case 'spans':
      return maskSpans(accepted, body, rules, context)
  }
}

type OfType<Type extends AcceptedRecord['type']> = Extract<AcceptedRecord, { type: Type }>

/** Masks the warning too, since it quotes references that could not be resolved. */
function withWarning<Run extends OfType<'trace' | 'log'>>(
  record: Run,
  rules: RuleSet,
  context: Context,
): Run {
  const { warning } = record
  return warning === null ? record : { ...record, warning: maskPlain(warning, rules, context) }
}

/** Masks a text that belongs to no field. */
const maskPlain = (text: string, rules: RuleSet, context: Context): string => {
  const masked = maskText(text, rules.everywhere.texts, { ...context, rules })
  return masked === dropped ? '[dropped]' : masked
}

/** The feature of the scored trace is not known here, so rules for any feature apply. */
function maskScore(record: OfType<'score'>, body: Buffer, rules: RuleSet, context: Context): StoredRecord {
  const { name, value, comment, ...references } = parse(body)
  const comments = rules.rulesOf('comment')
  const plain = { ...comments, paths: [] }
  const all = { ...context, rules }
  const masked = {
    ...references,
    name: typeof name === 'string' ? maskRequiredText(name, plain, all, 'name') : name,
    value: typeof value === 'string' ? maskRequiredText(value, comments, all, 'value') : value,
    comment: typeof comment === 'string' ? maskValue(comment, comments, all, 'comment') : comment,
  }
  const userId = record.given?.userId
  if (record.given === undefined || userId == null) return { accepted: record, body: encode(masked) }
  const maskedScore = {
    ...record.given,
    userId: maskRequiredText(userId, rules.rulesOf('user'), all, 'userId'),
  }
  return { accepted: { ...record, given: maskedScore }, body: encode(masked) }
}

function maskSpans(
  record: OfType<'spans'>,
  body: Buffer,
  rules: CompiledRules,
  context: Context,
): StoredRecord {
  const { resolved, resolvedOf, signal, encoding } = record
  const indexes = new Map(resolvedOf)
  const featureAt = (position: number) => resolved[indexes.get(position) ?? -1]?.featureSlug
  const masked = maskExport({ signal, encoding, body, featureAt }, rules, context)
  const set = rules.forFeature(undefined)
  return {
    accepted: {
      ...record,
      encoding: 'json',
      resolved: resolved.map((each) => ({
        ...each,
        warnings: each.warnings.map((warning) => maskPlain(warning, set, context)),
      })),
    },
    body: masked,
  }
}

/** Shown in place of a sample that cannot be masked. */
export const unmaskableBody = '[not kept: the body is not JSON that masking rules could be applied to]'

/** The beginning of a rejected body for the ledger. Its form is unknown, so every rule applies everywhere. */
export function maskSample(body: Buffer, rules: CompiledRules, context: Context, lengthMax: number): string {
  const all = { ...context, rules: rules.allRules }
  const value = parseAny(body)
  const { texts } = rules.allRules.everywhere
  if (value !== undefined) {
    const masked = maskValue(value, { texts, paths: samplePaths(rules) }, all)
    return JSON.stringify(masked).slice(0, lengthMax)
  }
  // Paths cannot be followed in text that is not JSON, but it may contain the values that they mean.
  if (rules.hasPaths) return unmaskableBody
  const text = body.toString('utf8', 0, sampledBytes)
  const plain = text.replaceAll(/\\u([\da-f]{4})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
  const masked = maskText(plain, texts, all)
  return masked === dropped ? unmaskableBody : masked.slice(0, lengthMax)
}

/** Long enough that every match within the sample is complete. */
const sampledBytes = 64 * 1024

/** A rejected body may have its fields anywhere, so a path begins at each key with the name of its field. */
const samplePaths = (rules: CompiledRules): PathPositions<PathRule> =>
  begin(
    rules.allRules.rulesOf('metadata').paths.flatMap(({ rule }) =>
      keysOf(rule.field).map((key) => ({
        rule,
        steps: [
          { type: 'any' } as const,
          ...(key === undefined ? [] : [{ type: 'key', key } as const]),
          // Variables are a list of labels and values: all of them are covered.
          ...(rule.field === 'variables' ? [] : rule.steps),
        ],
      })),
    ),
  )

const keysOf = (field: PathRule['field']): readonly (string | undefined)[] =>
  field === 'output' ? ['output', 'idealOutput'] : [field]

function parseAny(body: Buffer): object | undefined {
  try {
    scanJson(body)
    const value: unknown = parseJsonBytes(body)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

// Safe: the body passed the contract's schema, which lets only objects through.
const parse = (body: Buffer): Fields => parseJsonBytes(body) as Fields

const encode = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))
