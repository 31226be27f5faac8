import { type InputOf, invalid, latestTag, type operations } from '@plumbline/contract'
import { partsIn } from '@plumbline/contract/templates/prompt-parts'
import { mapConflict } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { checkTemplate } from '../../workspace/check-template.ts'
import { checkMessages, textsOf } from '../../workspace/extras.ts'
import { completeModel } from '../../workspace/model.ts'
import { toVersions } from './view.ts'

export const create: Verb<typeof operations.versions.create> = async (input, { workspace, caller, now }) => {
  const { slug } = input
  const tags = input.tags ?? []
  const latestIndex = tags.indexOf(latestTag)
  if (latestIndex >= 0)
    throw invalid(`tags[${latestIndex}]`, `must not be "${latestTag}", which the service moves automatically`)
  const messages = input.messages == null ? undefined : checkMessages(input.messages)
  if (messages === undefined && input.text == null) throw invalid('text', 'is required')
  if (messages !== undefined && (input.text || input.systemText))
    throw invalid('messages', 'must not be given together with `text` or `systemText`')
  for (const [path, template] of templatesIn(input)) {
    checkParts(slug, template, path)
    checkTemplate(template, path)
  }
  const version = {
    slug,
    version: input.version ?? undefined,
    ...(messages === undefined
      ? { text: input.text ?? '', systemText: input.systemText ?? '' }
      : textsOf(messages)),
    messages: messages && JSON.stringify(messages),
    config: input.config == null ? undefined : JSON.stringify(input.config),
    model: JSON.stringify(completeModel(input.model)),
    message: input.message ?? undefined,
    tags,
    createdBy: caller.id,
  }
  const name = `${slug} ${input.version ?? ''}`.trim()
  const createdVersion = await mapConflict(
    'prompt version',
    name,
    workspace.promptVersions.create(version, now),
  )
  const [versionView] = await toVersions(workspace, [createdVersion])
  return { version: versionView! }
}

/** The templates of a version, by the path of their field. */
const templatesIn = ({
  text,
  systemText,
  messages,
}: InputOf<typeof operations.versions.create>): [string, string][] => [
  ['text', text ?? ''],
  ['systemText', systemText ?? ''],
  ...(messages ?? []).map(({ content }, index): [string, string] => [
    `messages[${index}].content`,
    content ?? '',
  ]),
]

/**
 * A prompt that includes itself would never end. Missing parts may be created later: until then they are left out when
 * serving, with a warning.
 */
function checkParts(slug: string, template: string, path: string): void {
  if (partsIn(template).some((part) => part.slug === slug))
    throw invalid(path, `must not include "${slug}", which is this prompt itself`)
}
