/**
 * The root secret of an installation without PLUMBLINE_SECRET_KEY: a file that only its user can read and that no backup
 * contains.
 */
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { BadConfiguration } from '../config.ts'

const secretFileName = 'secret.key'

const secretBytes = 32

export const secretFileIn = (dataFolder: string): string => join(dataFolder, secretFileName)

/** The secret in the file; undefined if there is none. Throws for a truncated file: it must not be replaced by another secret. */
export function readSecretFile(dataFolder: string): string | undefined {
  const path = secretFileIn(dataFolder)
  if (!existsSync(path)) return undefined
  const secret = readFileSync(path, 'utf8').trim()
  if (Buffer.from(secret, 'base64').length < secretBytes)
    throw new BadConfiguration(
      `${path} is damaged: restore a copy of it, or set PLUMBLINE_SECRET_KEY and delete the file.`,
    )
  return secret
}

/** Creates the file. It is on disk when this returns: anything encrypted with a lost secret is lost too. */
export function makeSecretFile(dataFolder: string): string {
  const secret = randomBytes(secretBytes).toString('base64')
  const path = secretFileIn(dataFolder)
  const partial = `${path}.partial`
  writeDurably(partial, `${secret}\n`)
  renameSync(partial, path)
  syncFolder(dataFolder)
  return secret
}

function writeDurably(path: string, text: string): void {
  const file = openSync(path, 'w', 0o600)
  try {
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
