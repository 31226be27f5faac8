import { type operations, type Prompt, ServiceError } from '@plumbline/contract'
import type { Verb } from '../verb.ts'
import { askedInWords, chooseVersion } from './choose-version.ts'
import { encode } from './list.ts'
import { readModel } from './model.ts'

/** The version to run now, ready to send: this is what every run of an application waits for. */
export const get: Verb<typeof operations.prompts.get> = async (asked, { workspace }) => {
  const { slug } = asked
  const key = `prompts.get ${slug}\n${asked.version || ''}\n${asked.tag || ''}`
  const { answers, epoch } = workspace.catalogue
  const kept = answers.get(key)
  if (kept !== undefined) return kept
  const found = await workspace.catalogue.prompt(slug)
  if (found === undefined) throw new ServiceError('prompt_not_found', { slug })
  const chosen = chooseVersion(found.versions, asked)
  if (chosen === undefined) {
    const wantsMore = Boolean(asked.version || asked.tag)
    throw new ServiceError('prompt_not_served', {
      slug,
      asked: wantsMore ? `no ${askedInWords(asked)} and ` : '',
    })
  }
  const { version, text, systemText, model } = chosen.version
  const prompt: Prompt = { text, systemText, version, tag: chosen.tag, slug, model: readModel(model) }
  const answer = encode(
    chosen.isFallback ? { prompt, warning: fallbackWarning(slug, asked, version) } : { prompt },
  )
  if (epoch === workspace.catalogue.epoch) answers.set(key, answer)
  return answer
}

/** Tells that another version is served than the one asked for. */
export const fallbackWarning = (
  slug: string,
  asked: { version?: string | null; tag?: string | null },
  served: string,
): string =>
  `The prompt "${slug}" has no ${askedInWords(asked)}; version "${served}", which is in production, is served instead.`
