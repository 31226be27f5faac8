import { createRequire } from 'node:module'
import { invalid } from '@plumbline/contract/errors'
import type { Config, Judge } from './judge.ts'
import { nothingAt, readPlace, textOf, valueAt } from './place.ts'

type Library = Pick<typeof import('tinyld'), 'detectAll' | 'supportedLanguages' | 'toISO2'>

let library: Library | undefined

/** Loaded by the first rule of this kind, since its profiles take 50 MB. */
function loadLibrary(): Library {
  // Safe: the module has this type by its own declarations.
  library ??= createRequire(import.meta.url)('tinyld') as Library
  return library
}

/** Detection needs this many letters, or fewer in scripts without spaces. */
const lettersMin = 12
const characterMin = 4
const charactersRead = 10_000
const characterScripts = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}]/gu

export function readLanguage(config: Config): Judge {
  const place = readPlace(config)
  const languages: unknown[] = Array.isArray(config.language) ? config.language : [config.language]
  const { detectAll, supportedLanguages, toISO2 } = loadLibrary()
  const names = supportedLanguages.map((code) => toISO2(code)).toSorted()
  if (languages.length === 0 || languages.some((code) => typeof code !== 'string' || !names.includes(code)))
    throw invalid('config.language', `must be one or a list of ${names.join(', ')}`)
  return (subject) => {
    const value = valueAt(subject, place)
    if (value === undefined) return nothingAt(place)
    const text = textOf(value).slice(0, charactersRead)
    const letters = text.match(/\p{L}/gu)?.length ?? 0
    const characters = text.match(characterScripts)?.length ?? 0
    const [detected] = letters < lettersMin && characters < characterMin ? [] : detectAll(text)
    if (detected === undefined) return { value: null, comment: 'Its language cannot be detected.' }
    return { value: languages.includes(detected.lang), comment: `It reads like ${nameOf(detected.lang)}.` }
  }
}

const nameOf = (code: string): string => new Intl.DisplayNames(['en'], { type: 'language' }).of(code) ?? code
