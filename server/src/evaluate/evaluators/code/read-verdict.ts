import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core'
import type { Verdict } from '../rules/judge.ts'
import { CodeFailed, categoryCharactersMax, commentCharactersMax } from './limits.ts'

const allowedResults = 'a boolean, a finite number, a text, or { value, comment }'

/** The type of a value as `typeof` names it, except that null is `null`. */
export type TypeOf = (value: QuickJSHandle) => string

/** Must be made before user code runs, which may replace everything except the operators of the language. */
export function makeTypeOf(context: QuickJSContext): TypeOf {
  const typeOf = context.unwrapResult(context.evalCode('(value) => value === null ? "null" : typeof value'))
  return (value) =>
    context.getString(context.unwrapResult(context.callFunction(typeOf, context.undefined, value)))
}

/** Reads the returned value as a verdict. Only primitives leave the engine: of an object, just its two fields are read. */
export function readVerdict(context: QuickJSContext, typeOf: TypeOf, result: QuickJSHandle): Verdict {
  const type = typeOf(result)
  if (type === 'null') return { value: null, comment: 'The code returned no verdict.' }
  if (type !== 'object') return { value: readValue(context, type, result), comment: '' }
  const value = fieldOf(context, result, 'value')
  const comment = fieldOf(context, result, 'comment')
  const typeOfValue = typeOf(value)
  return {
    value: typeOfValue === 'null' ? null : readValue(context, typeOfValue, value),
    comment: readComment(context, typeOf(comment), comment),
  }
}

function fieldOf(context: QuickJSContext, object: QuickJSHandle, name: string): QuickJSHandle {
  try {
    return context.getProp(object, name)
  } catch (error) {
    throw new CodeFailed(
      'returned',
      `The code must return ${allowedResults}; its ${name} cannot be read.`,
      undefined,
      {
        cause: error,
      },
    )
  }
}

function readValue(context: QuickJSContext, type: string, value: QuickJSHandle): boolean | number | string {
  if (type === 'boolean') return context.dump(value) === true
  if (type === 'number') {
    const number = context.getNumber(value)
    if (Number.isFinite(number)) return number
    throw new CodeFailed('returned', `The code must return ${allowedResults}, not ${number}.`)
  }
  if (type === 'string') {
    if (lengthOf(context, value) <= categoryCharactersMax) return context.getString(value)
    throw new CodeFailed('returned', `A text verdict may have at most ${categoryCharactersMax} characters.`)
  }
  throw new CodeFailed(
    'returned',
    `The code must return ${allowedResults}, not ${type === 'undefined' ? 'nothing' : `a value of type ${type}`}.`,
  )
}

function readComment(context: QuickJSContext, type: string, comment: QuickJSHandle): string {
  if (type === 'undefined' || type === 'null') return ''
  if (type !== 'string') throw new CodeFailed('returned', `The comment must be a text, not ${type}.`)
  if (lengthOf(context, comment) > commentReadMax)
    throw new CodeFailed('returned', `The comment has more than ${commentReadMax} characters.`)
  const text = context.getString(comment)
  return text.length > commentCharactersMax ? `${text.slice(0, commentCharactersMax)}…` : text
}

/** Longer comments do not leave the engine, not even to be truncated. */
const commentReadMax = 100_000

/** Safe: user code cannot replace the length of a string. */
const lengthOf = (context: QuickJSContext, text: QuickJSHandle): number =>
  context.getNumber(context.getProp(text, 'length'))
