/** Rules that pass what gives nothing away. A comment names kinds and numbers, never what was found. */

import { countOf, type Detector, personalDetectors, secretDetectors } from './detectors.ts'
import type { Config, Judge } from './judge.ts'
import { nothing, readPlace, textOf, valueAt } from './place.ts'
import { readSome } from './read-config.ts'

const charactersRead = 1_000_000

const readLeaks =
  (detectors: Readonly<Record<string, Detector>>, of: string) =>
  (config: Config): Judge => {
    const place = readPlace(config)
    const asked = readSome(config, 'types', Object.keys(detectors))
    return (subject) => {
      const value = valueAt(subject, place)
      if (value === undefined) return nothing(place)
      const text = textOf(value).slice(0, charactersRead)
      const found = asked.flatMap((name) => {
        const detector = detectors[name]!
        const count = countOf(detector, text)
        return count === 0 ? [] : [`${detector.label} (${count})`]
      })
      return {
        value: found.length === 0,
        comment: found.length === 0 ? `No ${of} found.` : `Found ${found.join(', ')}.`,
      }
    }
  }

export const readPii = readLeaks(personalDetectors, 'personal data')
export const readSecrets = readLeaks(secretDetectors, 'secret')
