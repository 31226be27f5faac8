import { type operations, ServiceError } from '@plumbline/contract'
import { variablesOf } from '@plumbline/contract/templates/variables'
import type { Verb } from '../../requests/verb.ts'
import { chooseVersion } from '../../workspace/choose-version.ts'
import { fallbackWarning } from './get.ts'
import { toSummary } from './summary.ts'

/** The summary of a prompt, and what the version that would be served wants to know. */
export const describe: Verb<typeof operations.prompts.describe> = async (input, { workspace }) => {
  const { slug } = input
  const [summary, prompt] = await Promise.all([
    workspace.prompts.find(slug),
    workspace.catalogue.prompt(slug),
  ])
  if (summary === undefined || prompt === undefined) throw new ServiceError('prompt_not_found', { slug })
  const chosen = chooseVersion(prompt.versions, input)
  const templates = chosen === undefined ? '' : `${chosen.version.systemText}\n${chosen.version.text}`
  return {
    prompt: {
      ...toSummary(summary),
      version: chosen?.version.version ?? '',
      tag: chosen?.tag ?? '',
      variables: variablesOf(templates),
    },
    ...(chosen?.isFallback ? { warning: fallbackWarning(slug, input, chosen.version.version) } : {}),
  }
}
