/** Rules on numbers: values, lengths, latency and cost. */

import { invalid } from '@plumbline/contract/errors'
import type { Config, Judge } from './judge.ts'
import { nothingAt, type Place, readPlace, textOf, valueAt } from './place.ts'
import { readBounds, readChoice, readNumber } from './read-config.ts'
import type { Subject } from './subject.ts'
import { wordsOf } from './words.ts'

const measures = [
  'value',
  'length',
  'durationMs',
  'cost',
  'inputTokens',
  'outputTokens',
  'totalTokens',
] as const

export function readRange(config: Config): Judge {
  const place = readPlace(config)
  const { min, max } = readBounds(config)
  const measure = readChoice(config, 'measure', measures)
  return (subject) => {
    const number = readMeasure(subject, measure, place)
    if (number === undefined) return { value: null, comment: `There is no ${measure} to judge.` }
    return { value: number >= min && number <= max, comment: `It is ${number}.` }
  }
}

function readMeasure(subject: Subject, measure: (typeof measures)[number], place: Place): number | undefined {
  switch (measure) {
    case 'durationMs':
    case 'cost':
      return subject[measure] ?? undefined
    case 'inputTokens':
    case 'outputTokens':
      return subject[measure]
    case 'totalTokens':
      return subject.inputTokens + subject.outputTokens
    default: {
      const value = valueAt(subject, place)
      if (value === undefined) return undefined
      if (measure === 'length') return count.characters(textOf(value))
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
      return typeof number === 'number' && Number.isFinite(number) ? number : undefined
    }
  }
}

const count = {
  characters: (text: string) => [...text].length,
  words: (text: string) => wordsOf(text).length,
  lines: (text: string) => text.split('\n').length,
}

export function readLength(config: Config): Judge {
  const place = readPlace(config)
  const { min, max } = readBounds(config)
  const unit = readChoice(config, 'unit', ['characters', 'words', 'lines'])
  return (subject) => {
    const value = valueAt(subject, place)
    if (value === undefined) return nothingAt(place)
    const length = count[unit](textOf(value))
    return { value: length >= min && length <= max, comment: `It has ${length} ${unit}.` }
  }
}

export function readLatency(config: Config): Judge {
  const most = readMost(config, 'maxMs')
  return ({ durationMs }) =>
    durationMs === null
      ? { value: null, comment: 'It has no end time, so it has no duration.' }
      : { value: durationMs <= most, comment: `It took ${durationMs} ms.` }
}

export function readCost(config: Config): Judge {
  const most = readMost(config, 'maxUsd')
  return ({ cost }) =>
    cost === null
      ? { value: null, comment: 'Its cost is not known.' }
      : { value: cost <= most, comment: `It cost $${cost}.` }
}

function readMost(config: Config, name: string): number {
  const most = readNumber(config, name)
  if (most === undefined || most < 0) throw invalid(`config.${name}`, 'must be a number, 0 or more')
  return most
}
