import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core'
import type { Judgement } from '../rules/judge.ts'
import { CodeFailed, categoryCharactersMax, commentCharactersMax } from './limits.ts'

const wanted = 'a boolean, a finite number, a text, or { value, comment }'

/** The type of a value as `typeof` names it, but that of null. */
export type TypeOf = (value: QuickJSHandle) => string

/** Made before the code of people runs, which may replace all but the language's own operators. */
export function makeTypeOf(context: QuickJSContext): TypeOf {
  const typeOf = context.unwrapResult(context.evalCode('(value) => value === null ? "null" : typeof value'))
  return (value) =>
    context.getString(context.unwrapResult(context.callFunction(typeOf, context.undefined, value)))
}

/**
 * What code returned, as a verdict. Nothing but primitives leaves the engine: an object is asked for its two fields,
 * and whatever else it is or does stays inside.
 */
export function readVerdict(context: QuickJSContext, typeOf: TypeOf, returned: QuickJSHandle): Judgement {
  const type = typeOf(returned)
  if (type === 'null') return { value: null, comment: 'The code gave no verdict.' }
  if (type !== 'object') return { value: readValue(context, type, returned), comment: '' }
  const value = fieldOf(context, returned, 'value')
  const comment = fieldOf(context, returned, 'comment')
  const typeOfValue = typeOf(value)
  return {
    value: typeOfValue === 'null' ? null : readValue(context, typeOfValue, value),
    comment: readComment(context, typeOf(comment), comment),
  }
}

function fieldOf(context: QuickJSContext, holder: QuickJSHandle, name: string): QuickJSHandle {
  try {
    return context.getProp(holder, name)
  } catch (error) {
    throw new CodeFailed(
      'returned',
      `The code must return ${wanted}; its ${name} cannot be read.`,
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
    throw new CodeFailed('returned', `The code must return ${wanted}, not ${number}.`)
  }
  if (type === 'string') {
    if (lengthOf(context, value) <= categoryCharactersMax) return context.getString(value)
    throw new CodeFailed('returned', `A text as a verdict has at most ${categoryCharactersMax} characters.`)
  }
  throw new CodeFailed(
    'returned',
    `The code must return ${wanted}, not ${type === 'undefined' ? 'nothing' : `a value of type ${type}`}.`,
  )
}

function readComment(context: QuickJSContext, type: string, comment: QuickJSHandle): string {
  if (type === 'undefined' || type === 'null') return ''
  if (type !== 'string') throw new CodeFailed('returned', `The comment must be a text, not ${type}.`)
  if (lengthOf(context, comment) > commentTakenMax)
    throw new CodeFailed('returned', `The comment has more than ${commentTakenMax} characters.`)
  const text = context.getString(comment)
  return text.length > commentCharactersMax ? `${text.slice(0, commentCharactersMax)}…` : text
}

/** What is longer does not leave the engine, not even to be cut. */
const commentTakenMax = 100_000

/** Safe to ask: the length of a text cannot be replaced. */
const lengthOf = (context: QuickJSContext, text: QuickJSHandle): number =>
  context.getNumber(context.getProp(text, 'length'))
