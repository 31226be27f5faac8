/** The prompts of the workspace: their versions, and the moves of their tags. */
import type { ModelInput } from '@plumbline/sdk'
import promptData from '../../../../fixtures/demo/prompts.json' with { type: 'json' }
import type { ModelName } from './models.ts'

export interface DemoVersion {
  readonly version: string
  readonly model: ModelName
  readonly systemText?: string
  readonly text: string
  readonly message: string
  readonly parameters?: NonNullable<ModelInput['parameters']>
}

export interface DemoPrompt {
  readonly slug: string
  readonly name: string
  readonly featureSlug: string
  readonly description: string
  readonly versions: readonly DemoVersion[]
  /** The versions in production, each from a fraction of the calendar on. Empty for a draft. */
  readonly live: readonly (readonly [start: number, version: string])[]
  /** Moves of other tags, in order. */
  readonly tags?: readonly (readonly [tag: string, version: string])[]
}

// Safe: a test renders each version, and looks up each model and tag.
export const prompts = promptData as readonly unknown[] as readonly DemoPrompt[]

/** The version in production at a time, which is a fraction of the calendar. */
export function servedVersion(slug: string, progress: number): DemoVersion {
  const { live } = promptOf(slug)
  return versionOf(slug, (live.findLast(([start]) => start <= progress) ?? live[0])?.[1])
}

/** The version that carries a tag now. */
export const taggedVersion = (slug: string, tag: string): DemoVersion =>
  versionOf(slug, promptOf(slug).tags?.findLast(([label]) => label === tag)?.[1])

export function versionOf(slug: string, name: string | undefined): DemoVersion {
  const version = promptOf(slug).versions.find(({ version }) => version === name)
  if (version === undefined) throw new Error(`The demo's prompt "${slug}" has no version ${name}.`)
  return version
}

function promptOf(slug: string): DemoPrompt {
  const prompt = prompts.find((prompt) => prompt.slug === slug)
  if (prompt === undefined) throw new Error(`The demo has no prompt "${slug}".`)
  return prompt
}
