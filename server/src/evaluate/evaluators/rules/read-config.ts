/** Readers for configuration fields that several rules share. Each throws `invalid_request` naming the field. */
import { invalid } from '@plumbline/contract/errors'
import type { Config } from './judge.ts'

export function readText(config: Config, name: string): string {
  const value = config[name]
  if (typeof value !== 'string' || value === '') throw invalid(`config.${name}`, 'must be a text')
  return value
}

export function readFlag(config: Config, name: string): boolean {
  const value = config[name] ?? false
  if (typeof value !== 'boolean') throw invalid(`config.${name}`, 'must be true or false')
  return value
}

/** A number, or undefined if absent. */
export function readNumber(config: Config, name: string): number | undefined {
  const value = config[name] ?? undefined
  if (value !== undefined && (typeof value !== 'number' || !Number.isFinite(value)))
    throw invalid(`config.${name}`, 'must be a number')
  return value
}

/** `min` and `max`, of which at least one is required. */
export function readBounds(config: Config): { min: number; max: number } {
  const [min, max] = [readNumber(config, 'min'), readNumber(config, 'max')]
  if (min === undefined && max === undefined) throw invalid('config.min', 'or config.max is required')
  return { min: min ?? -Infinity, max: max ?? Infinity }
}

/** The similarity from which a text passes; undefined if the similarity itself is the score. */
export function readThreshold(config: Config): number | undefined {
  const threshold = readNumber(config, 'threshold')
  if (threshold !== undefined && (threshold < 0 || threshold > 1))
    throw invalid('config.threshold', 'must be a number from 0 to 1')
  return threshold
}

/** One of some names; the first is the default. */
export function readChoice<const Name extends string>(
  config: Config,
  name: string,
  choices: readonly [Name, ...Name[]],
): Name {
  const configured = config[name] ?? choices[0]
  const choice = choices.find((candidate) => candidate === configured)
  if (choice === undefined) throw invalid(`config.${name}`, `must be one of ${choices.join(', ')}`)
  return choice
}

/** Some of the names; the default is all. */
export function readSome<const Name extends string>(
  config: Config,
  name: string,
  names: readonly Name[],
): readonly Name[] {
  const configured: unknown = config[name] ?? names
  const selected = Array.isArray(configured)
    ? names.filter((candidate) => configured.includes(candidate))
    : []
  if (!Array.isArray(configured) || selected.length === 0 || selected.length < new Set(configured).size)
    throw invalid(`config.${name}`, `must be a list of ${names.join(', ')}`)
  return selected
}
