/**
 * A prompt as a folder: `prompt.json`, `text.jinja` and `system.jinja` (optional) or `messages.json`, `model.json`, and
 * `config.json` (optional).
 * A text file ends with one extra line feed, as editors expect, so every text round-trips exactly.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandFailed } from '../session.ts'
import {
  configText,
  type Model,
  messagesText,
  modelText,
  ownTags,
  type PromptContent,
  type PromptMessages,
} from './content.ts'

/** A prompt has only one of the two kinds. */
const contentFiles = ['text.jinja', 'messages.json']

/** The slugs that have a folder, sorted. */
export function listSlugs(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .filter(({ name }) => contentFiles.some((file) => existsSync(join(folder, name, file))))
    .map(({ name }) => name)
    .sort()
}

/** Updates the files that differ; returns the names of the files written or removed. */
export function writePrompt(folder: string, slug: string, content: PromptContent): string[] {
  const { name, description, feature, folder: promptPath = '', tags } = content
  const { text, systemText, messages, model, config } = content
  const promptFolder = join(folder, slug)
  mkdirSync(promptFolder, { recursive: true })
  const contents: Record<string, string | undefined> = {
    'prompt.json': JSON.stringify(
      { name, description, feature, ...(promptPath !== '' && { folder: promptPath }), tags },
      null,
      2,
    ),
    'text.jinja': messages === undefined ? text : undefined,
    'system.jinja': systemText === '' ? undefined : systemText,
    'messages.json': messagesText(messages),
    'model.json': modelText(model),
    'config.json': configText(config),
  }
  const changed: string[] = []
  for (const [file, body] of Object.entries(contents)) {
    const path = join(promptFolder, file)
    const present = existsSync(path) ? readFileSync(path, 'utf8') : undefined
    if (body === undefined ? present === undefined : present === `${body}\n`) continue
    if (body === undefined) rmSync(path)
    else writeFileSync(path, `${body}\n`)
    changed.push(file)
  }
  return changed
}

/** Reads a prompt from its folder; undefined if there is none. */
export function readPrompt(folder: string, slug: string): PromptContent | undefined {
  const promptFolder = join(folder, slug)
  const text = readText(join(promptFolder, 'text.jinja'))
  const messages = readMessages(join(promptFolder, 'messages.json'))
  if (text === undefined && messages === undefined) return undefined
  const systemText = readText(join(promptFolder, 'system.jinja')) ?? ''
  if (messages !== undefined && (text ?? '') + systemText !== '')
    throw new CommandFailed(
      `${promptFolder} has both messages.json and texts; a prompt is made of one of them.`,
    )
  const configPath = join(promptFolder, 'config.json')
  const metadata = readObject(join(promptFolder, 'prompt.json'))
  const field = (name: string): string => textField(metadata, name, join(promptFolder, 'prompt.json'))
  const { tags = [] } = metadata
  if (!Array.isArray(tags) || !tags.every((tag) => typeof tag === 'string'))
    throw new CommandFailed(`${join(promptFolder, 'prompt.json')}: tags must be a list of strings.`)
  return {
    name: field('name') || slug,
    description: field('description'),
    feature: field('feature'),
    folder: metadata.folder === undefined ? undefined : field('folder'),
    tags: ownTags(tags),
    text: text ?? '',
    systemText,
    messages,
    model: readModel(join(promptFolder, 'model.json')),
    config: existsSync(configPath) ? readObject(configPath) : undefined,
  }
}

function readText(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8').replace(/\r?\n$/, '') : undefined
}

/** Reads the object in a JSON file; an empty one if the file does not exist. */
function readObject(path: string): Record<string, unknown> {
  const value = readJson(path) ?? {}
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new CommandFailed(`${path} must hold a JSON object.`)
  return value as Record<string, unknown>
}

/** The value in a JSON file; undefined if the file does not exist. */
function readJson(path: string): unknown {
  const text = readText(path)
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new CommandFailed(`${path} is not valid JSON: ${(error as Error).message}.`)
  }
}

function readMessages(path: string): PromptMessages | undefined {
  const value = readJson(path)
  if (value === undefined) return undefined
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'object' && each !== null))
    throw new CommandFailed(`${path} must hold a list of messages.`)
  // Safe: the service validates them on push.
  return value as PromptMessages
}

function textField(record: Record<string, unknown>, name: string, path: string): string {
  const value = record[name] ?? ''
  if (typeof value !== 'string') throw new CommandFailed(`${path}: ${name} must be a string.`)
  return value
}

/** Fills in the service's defaults, so that a short file causes no difference. */
function readModel(path: string): Model {
  const record = readObject(path)
  const field = (name: string): string => textField(record, name, path)
  const { parameters = {} } = record
  if (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters))
    throw new CommandFailed(`${path}: parameters must be an object.`)
  const explicitParameters = Object.entries(parameters).filter(([, value]) => value !== null)
  return {
    provider: field('provider'),
    client: field('client'),
    model: field('model'),
    version: field('version'),
    // The service validates them on push.
    parameters: {
      temperature: 1,
      topP: 1,
      maxLength: 4096,
      responseFormat: 'text',
      ...Object.fromEntries(explicitParameters),
    },
  }
}
