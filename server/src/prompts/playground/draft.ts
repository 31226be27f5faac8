/** The prompt of a run: a stored version or a draft, rendered with variables. */
import { invalid, type PromptReference, ServiceError } from '@plumbline/contract'
import { type PromptTexts, type RenderedMessage, renderPrompt } from '@plumbline/contract/templates'
import { chooseVersion, describeVersionQuery } from '../../workspace/choose-version.ts'
import { readExtras } from '../../workspace/extras.ts'
import { readModel } from '../../workspace/model.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { isEmptyMessage } from './messages.ts'

type PromptSelector = Pick<PromptReference, 'slug' | 'version' | 'tag'>

/** The requested version. Never a fallback, which would mislead in a test. */
export async function findPrompt(reference: PromptSelector, { cache }: Workspace) {
  const { slug } = reference
  const selector = { version: reference.version ?? undefined, tag: reference.tag ?? undefined }
  const prompt = await cache.prompt(slug)
  if (prompt === undefined) throw new ServiceError('prompt_not_found', { slug })
  const choice = chooseVersion(prompt.versions, selector)
  if (choice === undefined || choice.isFallback)
    throw new ServiceError('prompt_not_served', {
      slug,
      selector: `no ${describeVersionQuery(selector)} and `,
    })
  const { messages, ...version } = choice.version
  return { ...version, ...readExtras({ messages }), model: readModel(version.model) }
}

/** The messages of a draft; throws `invalid_request` naming the template that cannot be rendered. */
export function renderDraft(
  draft: PromptTexts,
  variables: Readonly<Record<string, unknown>>,
  messagesField = 'messages',
): RenderedMessage[] {
  if (draft.messages === undefined && draft.text === '' && draft.systemText === '') return []
  const values = Object.entries(variables).map(([label, value]) => ({ label, value }))
  const rendered = renderPrompt(draft, values)
  if (rendered.type === 'rendered')
    return rendered.messages.filter((message) => !isEmptyMessage({ ...message }))
  const { place, reason } = rendered
  const isSystemText = draft.systemText !== '' && place === 0
  const path =
    draft.messages === undefined
      ? isSystemText
        ? 'systemText'
        : 'text'
      : `${messagesField}[${place}].content`
  throw invalid(path, `cannot be rendered: ${reason}`)
}
