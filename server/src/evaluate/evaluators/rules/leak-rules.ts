/** Rules against leaked personal data and secrets. Their comments give kinds and counts, never the matches. */

import type { Config, Judge } from './judge.ts'
import { countOf, type Detector, personalDetectors, secretDetectors } from './leak-detectors.ts'
import { nothingAt, readPlace, textOf, valueAt } from './place.ts'
import { readSome } from './read-config.ts'

const charactersRead = 1_000_000

const readLeaks =
  (detectors: Readonly<Record<string, Detector>>, label: string) =>
  (config: Config): Judge => {
    const place = readPlace(config)
    const types = readSome(config, 'types', Object.keys(detectors))
    return (subject) => {
      const value = valueAt(subject, place)
      if (value === undefined) return nothingAt(place)
      const text = textOf(value).slice(0, charactersRead)
      const findings = types.flatMap((name) => {
        const detector = detectors[name]!
        const count = countOf(detector, text)
        return count === 0 ? [] : [`${detector.label} (${count})`]
      })
      return {
        value: findings.length === 0,
        comment: findings.length === 0 ? `No ${label} found.` : `Found ${findings.join(', ')}.`,
      }
    }
  }

export const readPii = readLeaks(personalDetectors, 'personal data')
export const readSecrets = readLeaks(secretDetectors, 'secret')
