/** Langfuse identifies prompts by any name, we by a slug: the slug of a name, or one with a digest if two names share it. */
import { hash } from 'node:crypto'
import { slugOfName } from '@plumbline/contract/langfuse-prompts'
import type { CachedPrompt, WorkspaceCache } from './workspace-cache.ts'

const digestLength = 8

/** The prompt with this name; else the one with the name's slug. */
export async function findPromptByName(
  name: string,
  cache: Pick<WorkspaceCache, 'prompt'>,
): Promise<CachedPrompt | undefined> {
  const prompt = await cache.prompt(slugOfName(name))
  if (prompt !== undefined && isNamed(prompt, name)) return prompt
  return (await cache.prompt(distinctSlug(name))) ?? prompt
}

export async function slugForNewPrompt(name: string, cache: WorkspaceCache): Promise<string> {
  const prompt = await cache.prompt(slugOfName(name))
  return prompt === undefined || isNamed(prompt, name) ? slugOfName(name) : distinctSlug(name)
}

/**
 * A renamed prompt is still found by its slug. But if a prompt's slug derives from its current name, another name with
 * that slug is a different prompt.
 */
const isNamed = (prompt: CachedPrompt, name: string): boolean =>
  prompt.name === name || (prompt.slug === name && slugOfName(prompt.name) !== prompt.slug)

export const distinctSlug = (name: string): string =>
  `${slugOfName(name).slice(0, 128 - 1 - digestLength)}-${hash('sha256', name).slice(0, digestLength)}`
