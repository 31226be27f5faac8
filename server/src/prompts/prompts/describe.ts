import { type operations, ServiceError } from '@plumbline/contract'
import { type TemplateVariable, variablesOfAll } from '@plumbline/contract/templates/variables'
import type { Verb } from '../../requests/verb.ts'
import { chooseVersion } from '../../workspace/choose-version.ts'
import { readExtras } from '../../workspace/extras.ts'
import type { CachedVersion } from '../../workspace/workspace-cache.ts'
import { fallbackWarning } from './get.ts'
import { toSummary } from './summary.ts'

/** The summary of a prompt, with the inputs of the version that would be served. */
export const describe: Verb<typeof operations.prompts.describe> = async (input, { workspace }) => {
  const { slug } = input
  const [summary, prompt] = await Promise.all([workspace.prompts.find(slug), workspace.cache.prompt(slug)])
  if (summary === undefined || prompt === undefined) throw new ServiceError('prompt_not_found', { slug })
  const choice = chooseVersion(prompt.versions, input)
  return {
    prompt: {
      ...toSummary(summary),
      version: choice?.version.version ?? '',
      tag: choice?.tag ?? '',
      variables: choice === undefined ? [] : variablesIn(choice.version),
    },
    ...(choice?.isFallback ? { warning: fallbackWarning(slug, input, choice.version.version) } : {}),
  }
}

/** The variables of all templates of a version, and the inputs of its placeholders. */
function variablesIn(version: CachedVersion): TemplateVariable[] {
  const messages = readExtras(version).messages ?? [
    { content: version.systemText },
    { content: version.text },
  ]
  return [
    ...variablesOfAll(messages.flatMap(({ content }) => content ?? [])),
    ...messages.flatMap(({ placeholder }) =>
      placeholder === undefined ? [] : [{ label: placeholder, type: 'array' as const }],
    ),
  ]
}
