/** Prompts as Langfuse shows them. */
import type { Model, PromptMessage } from '@plumbline/contract'
import { versionNumbers } from '@plumbline/contract/langfuse-prompts'
import { readExtras } from '../workspace/extras.ts'
import { readModel } from '../workspace/model.ts'
import type { CachedPrompt, CachedVersion } from '../workspace/workspace-cache.ts'

const unknownTime = new Date(0)

export function toPrompt(prompt: CachedPrompt, version: CachedVersion): object {
  const time = (version.createdAt ?? unknownTime).toISOString()
  return {
    id: `${prompt.slug}/${version.version}`,
    name: prompt.name,
    version: numberOf(prompt, version),
    ...contentOf(version),
    config: configOf(version),
    labels: version.tags,
    tags: [],
    commitMessage: version.message || null,
    resolutionGraph: null,
    createdAt: time,
    updatedAt: time,
  }
}

export function toPromptMeta(prompt: CachedPrompt): object {
  const [newest] = prompt.versions
  return {
    name: prompt.name,
    type: newest === undefined ? 'text' : contentOf(newest).type,
    versions: versionNumbers(prompt.versions.toReversed()),
    labels: [...new Set(prompt.versions.flatMap(({ tags }) => tags))],
    tags: [],
    lastUpdatedAt: (newest?.createdAt ?? unknownTime).toISOString(),
    lastConfig: newest === undefined ? {} : configOf(newest),
  }
}

function numberOf({ versions }: CachedPrompt, version: CachedVersion): number {
  const oldestFirst = versions.toReversed()
  return versionNumbers(oldestFirst)[oldestFirst.findIndex((each) => each.version === version.version)] ?? 0
}

/** A version with a system text is a chat prompt: Langfuse has no other field for it. */
function contentOf(version: CachedVersion): { type: 'text' | 'chat'; prompt: string | object[] } {
  const { messages } = readExtras(version)
  if (messages !== undefined) return { type: 'chat', prompt: messages.map(toMessage) }
  if (version.systemText === '') return { type: 'text', prompt: version.text }
  return {
    type: 'chat',
    prompt: [
      toMessage({ role: 'system', content: version.systemText }),
      ...(version.text === '' ? [] : [toMessage({ role: 'user', content: version.text })]),
    ],
  }
}

const toMessage = ({ role, content, placeholder }: PromptMessage): object =>
  placeholder === undefined
    ? { type: 'chatmessage', role, content }
    : { type: 'placeholder', name: placeholder }

/** The configuration in the version, else one derived from its model. */
const configOf = (version: CachedVersion): object =>
  readExtras(version).config ?? settingsOf(readModel(version.model))

function settingsOf({ model, provider, parameters }: Model): object {
  if (model === '') return {}
  const { temperature, topP, maxLength } = parameters
  return {
    model,
    ...(provider === '' ? {} : { provider }),
    ...(temperature === 1 ? {} : { temperature }),
    ...(topP === 1 ? {} : { top_p: topP }),
    ...(maxLength === 4096 ? {} : { max_tokens: maxLength }),
  }
}
