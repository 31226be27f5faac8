/** Rules on JSON and its schema. */
import { invalid } from '@plumbline/contract/errors'
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
    if (json === undefined) return { value: false, comment: 'It is no JSON.' }
    const type = Array.isArray(json) ? 'array' : typeof json
    if (expectedType === 'any' || (type === expectedType && json !== null))
      return { value: true, comment: 'It is JSON.' }
    return { value: false, comment: `It is JSON, but no ${expectedType}.` }
  }
}

export function readJsonSchema(config: Config): Judge {
  const place = readPlace(config)
  const { schema } = config
  if ((typeof schema !== 'object' || schema === null) && typeof schema !== 'boolean')
    throw invalid('config.schema', 'must be a JSON schema')
  // A pattern in a schema is as dangerous as an expression of a user.
  const guarded = Object.assign(
    (pattern: string, flags: string) => ({
      test: (text: string) => firstMatch(pattern, flags, text) !== null,
      // The library uses this as a cache key.
      toString: () => `/${pattern}/${flags}`,
    }),
    { code: 'guarded' },
  )
  const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false, code: { regExp: guarded } })
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
    if (json === undefined && typeof value === 'string') return { value: false, comment: 'It is no JSON.' }
    const isValid = check(json)
    return { value: isValid, comment: isValid ? 'It fits the schema.' : `${ajv.errorsText(check.errors)}.` }
  }
}
