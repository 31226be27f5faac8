import { type operations, type Prompt, productionTag, ServiceError } from '@plumbline/contract'
import { isInShare } from '@plumbline/contract/rollout-draw'
import { EncodedJson } from '../answers.ts'
import type { CataloguedPrompt } from '../catalogue.ts'
import type { Context, Verb } from '../verb.ts'
import { askedInWords, chooseVersion } from './choose-version.ts'
import { encode } from './list.ts'
import { readModel } from './model.ts'
import { rolloutOf } from './rollout-of.ts'

interface Asked {
  readonly slug: string
  readonly version?: string | undefined
  readonly tag?: string | undefined
}

/** An answer that is ready to send, and which version it has. */
class ReadyPrompt extends EncodedJson {
  readonly version: string
  constructor({ payload, etag }: EncodedJson, version: string) {
    super(payload, etag)
    this.version = version
  }
}

/** The version to run now, ready to send: this is what every run of an application waits for. */
export const get: Verb<typeof operations.prompts.get> = async (asked, context) => {
  const { slug, targetingKey } = asked
  const { catalogue } = context.workspace
  const { answers, epoch } = catalogue
  const isCandidate = targetingKey ? await isDrawn(asked, targetingKey, context) : false
  const key = `prompts.get ${slug}\n${asked.version || ''}\n${asked.tag || ''}\n${isCandidate ? 'candidate' : ''}`
  const kept = answers.get(key)
  if (kept instanceof ReadyPrompt) {
    count(asked, kept, context)
    return kept
  }
  const found = await catalogue.prompt(slug)
  if (found === undefined) throw new ServiceError('prompt_not_found', { slug })
  const answer = answerOf(found, asked, isCandidate)
  if (epoch === catalogue.epoch) answers.set(key, answer)
  count(asked, answer, context)
  return answer
}

/** Whether a rollout runs in which the key is served the candidate. */
async function isDrawn(asked: Asked, targetingKey: string, { workspace }: Context): Promise<boolean> {
  const found = await workspace.catalogue.prompt(asked.slug)
  const rollout = found && rolloutOf(found.rollouts, asked)
  return rollout !== undefined && isInShare(rollout, targetingKey)
}

function answerOf(found: CataloguedPrompt, asked: Asked, isCandidate: boolean): ReadyPrompt {
  const { slug } = found
  const chosen = chooseVersion(found.versions, asked)
  if (chosen === undefined) {
    const wantsMore = Boolean(asked.version || asked.tag)
    throw new ServiceError('prompt_not_served', {
      slug,
      asked: wantsMore ? `no ${askedInWords(asked)} and ` : '',
    })
  }
  const running = rolloutOf(found.rollouts, asked)
  const candidate = isCandidate
    ? found.versions.find(({ version }) => version === running?.candidateVersion)
    : undefined
  const { version, text, systemText, model } = candidate ?? chosen.version
  // The candidate is served under the tag that was asked for, which it does not carry.
  const tag = candidate === undefined ? chosen.tag : asked.tag || productionTag
  const prompt: Prompt = { text, systemText, version, tag, slug, model: readModel(model) }
  return new ReadyPrompt(
    encode({
      prompt,
      ...(chosen.isFallback ? { warning: fallbackWarning(slug, asked, version) } : {}),
      ...(running === undefined ? {} : { rollout: servedRollout(running) }),
    }),
    version,
  )
}

const servedRollout = ({ id, share, candidateVersion }: CataloguedPrompt['rollouts'][number]) => ({
  id,
  share,
  candidateVersion,
})

/** Only applications count: what people look at in the page is not served by anybody. */
function count(
  { slug, version, tag }: Asked,
  served: ReadyPrompt,
  { workspace, caller, now }: Context,
): void {
  if (caller.session !== undefined) return
  const asked = version ? '' : tag || productionTag
  const fetch = { promptSlug: slug, version: served.version, tag: asked, apiKeyId: caller.id }
  workspace.fetchCounts.add(workspace.id, fetch, now)
}

/** Tells that another version is served than the one asked for. */
export const fallbackWarning = (
  slug: string,
  asked: { version?: string | null; tag?: string | null },
  served: string,
): string =>
  `The prompt "${slug}" has no ${askedInWords(asked)}; version "${served}", which is in production, is served instead.`
