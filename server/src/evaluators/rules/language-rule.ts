import { createRequire } from 'node:module'
import { invalid } from '@plumbline/contract'
import type { Config, Judge } from './judge.ts'
import { nothing, readPlace, textOf, valueAt } from './place.ts'

type Library = Pick<typeof import('tinyld'), 'detectAll' | 'supportedLanguages' | 'toISO2'>

let library: Library | undefined

/** Its profiles take 50 MB, which most never need: it is loaded by the first rule of this kind. */
function loadLibrary(): Library {
  // Safe: its own declarations say so.
  library ??= createRequire(import.meta.url)('tinyld') as Library
  return library
}

/** Fewer letters say little of a language; in scripts without spaces, fewer say more. */
const lettersMin = 12
const characterMin = 4
const charactersRead = 10_000
const characterScripts = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}]/gu

export function readLanguage(config: Config): Judge {
  const place = readPlace(config)
  const wanted: unknown[] = Array.isArray(config.language) ? config.language : [config.language]
  const { detectAll, supportedLanguages, toISO2 } = loadLibrary()
  const known = supportedLanguages.map((code) => toISO2(code)).toSorted()
  if (wanted.length === 0 || wanted.some((code) => typeof code !== 'string' || !known.includes(code)))
    throw invalid('config.language', `must be one or a list of ${known.join(', ')}`)
  return (subject) => {
    const value = valueAt(subject, place)
    if (value === undefined) return nothing(place)
    const text = textOf(value).slice(0, charactersRead)
    const letters = text.match(/\p{L}/gu)?.length ?? 0
    const characters = text.match(characterScripts)?.length ?? 0
    const [found] = letters < lettersMin && characters < characterMin ? [] : detectAll(text)
    if (found === undefined) return { value: null, comment: 'Its language cannot be told.' }
    return { value: wanted.includes(found.lang), comment: `It reads like ${nameOf(found.lang)}.` }
  }
}

const nameOf = (code: string): string => new Intl.DisplayNames(['en'], { type: 'language' }).of(code) ?? code
