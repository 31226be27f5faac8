/** Rules on JSON and its schema. */
import { invalid } from '@plumbline/contract/errors'
import { Ajv } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { firstMatch } from './guarded-regex.ts'
import type { Config, Judge } from './judge.ts'
import { nothingAt, parseOrUndefined, readPlace, valueAt } from './place.ts'
import { readChoice } from './read-config.ts'

export function readJsonValid(config: Config): Judge {
  const place = readPlace(config)
  const expectedType = readChoice(config, 'type', ['any', 'object', 'array'])
  return (subject) => {
    const value = valueAt(subject, place)
    if (value === undefined) return nothingAt(place)
    const json = typeof value === 'string' ? parseOrUndefined(value) : value
    if (json === undefined) return { value: false, comment: 'It is not valid JSON.' }
    const type = Array.isArray(json) ? 'array' : typeof json
    if (expectedType === 'any' || (type === expectedType && json !== null))
      return { value: true, comment: 'It is JSON.' }
    return { value: false, comment: `It is JSON, but not an ${expectedType}.` }
  }
}

/** The drafts that schemas can name in `$schema`; a schema that names none uses the latest. */
const drafts = {
  'http://json-schema.org/draft-07/schema': Ajv,
  'https://json-schema.org/draft/2019-09/schema': Ajv2019,
  'https://json-schema.org/draft/2020-12/schema': Ajv2020,
} as const

function draftOf(schema: object | boolean): (typeof drafts)[keyof typeof drafts] {
  const name = typeof schema === 'object' && '$schema' in schema ? schema.$schema : undefined
  if (name === undefined) return Ajv2020
  const draft = Object.entries(drafts).find(([id]) => name === id || name === `${id}#`)
  if (draft === undefined)
    throw invalid('config.schema.$schema', `must be one of ${Object.keys(drafts).join(', ')}`)
  return draft[1]
}

export function readJsonSchema(config: Config): Judge {
  const place = readPlace(config)
  const { schema } = config
  if ((typeof schema !== 'object' || schema === null) && typeof schema !== 'boolean')
    throw invalid('config.schema', 'must be a JSON schema')
  if (typeof schema === 'object' && '$async' in schema)
    throw invalid('config.schema.$async', 'must be absent: asynchronous schemas are not supported')
  const Draft = draftOf(schema)
  // A pattern in a schema is as dangerous as a user's regular expression.
  const guarded = Object.assign(
    (pattern: string, flags: string) => ({
      test: (text: string) => firstMatch(pattern, flags, text) !== null,
      // The library uses this as a cache key.
      toString: () => `/${pattern}/${flags}`,
    }),
    { code: 'guarded' },
  )
  const ajv = new Draft({ strict: false, validateFormats: false, logger: false, code: { regExp: guarded } })
  let check: ReturnType<typeof ajv.compile>
  try {
    check = ajv.compile(schema)
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    throw Object.assign(invalid('config.schema', `must be a JSON schema: ${problem}`), { cause: error })
  }
  return (subject) => {
    const value = valueAt(subject, place)
    if (value === undefined) return nothingAt(place)
    const json = typeof value === 'string' ? parseOrUndefined(value) : value
    if (json === undefined && typeof value === 'string')
      return { value: false, comment: 'It is not valid JSON.' }
    const isValid = runCheck(check, json)
    if (isValid === undefined)
      return {
        value: null,
        comment: 'The schema refers to itself endlessly, or the JSON is too deeply nested.',
      }
    return {
      value: isValid,
      comment: isValid ? 'It matches the schema.' : `${ajv.errorsText(check.errors)}.`,
    }
  }
}

/** Undefined if the check recurses without end. */
function runCheck(check: (json: unknown) => boolean, json: unknown): boolean | undefined {
  try {
    return check(json)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
