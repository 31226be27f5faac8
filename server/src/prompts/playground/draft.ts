/** The prompt of a run: a stored version or a draft, rendered with variables. */
import { invalid, type PromptReference, ServiceError } from '@plumbline/contract'
import { type RenderedMessage, renderPrompt } from '@plumbline/contract/templates'
import { askedInWords, chooseVersion } from '../../workspace/choose-version.ts'
import { readModel } from '../../workspace/model.ts'
import type { Workspace } from '../../workspace/workspace.ts'

type PromptSelector = Pick<PromptReference, 'slug' | 'version' | 'tag'>

/** The requested version. Never a fallback, which would mislead in a test. */
export async function findPrompt({ slug, version, tag }: PromptSelector, { catalogue }: Workspace) {
  const selector = { version: version ?? undefined, tag: tag ?? undefined }
  const prompt = await catalogue.prompt(slug)
  if (prompt === undefined) throw new ServiceError('prompt_not_found', { slug })
  const chosen = chooseVersion(prompt.versions, selector)
  if (chosen === undefined || chosen.isFallback)
    throw new ServiceError('prompt_not_served', { slug, selector: `no ${askedInWords(selector)} and ` })
  return { ...chosen.version, model: readModel(chosen.version.model) }
}

/** The messages of a draft; throws `invalid_request` for a template that cannot be rendered. */
export function renderDraft(
  draft: { readonly text: string; readonly systemText: string },
  variables: Readonly<Record<string, unknown>>,
): RenderedMessage[] {
  if (draft.text === '' && draft.systemText === '') return []
  const values = Object.entries(variables).map(([label, value]) => ({ label, value }))
  const rendered = renderPrompt(draft, values)
  if (rendered.type === 'failed') throw invalid('text', `cannot be rendered: ${rendered.reason}`)
  return rendered.messages.filter(({ content }) => content !== '')
}
