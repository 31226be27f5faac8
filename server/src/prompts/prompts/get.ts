import { type operations, type Prompt, productionTag, ServiceError } from '@plumbline/contract'
import { isInShare } from '@plumbline/contract/rollout-draw'
import { EncodedJson, type ServedResponse } from '../../json/encoded-json.ts'
import type { Context, Verb } from '../../requests/verb.ts'
import { chooseVersion, describeVersionQuery } from '../../workspace/choose-version.ts'
import { readExtras } from '../../workspace/extras.ts'
import { readModel } from '../../workspace/model.ts'
import { rolloutOf } from '../../workspace/rollout-of.ts'
import type { CachedPrompt } from '../../workspace/workspace-cache.ts'
import type { FetchCounts } from './fetch-counts.ts'
import { encode } from './list.ts'

interface VersionQuery {
  readonly slug: string
  readonly version?: string | undefined
  readonly tag?: string | undefined
}

/** A response that is ready to send, and counts the fetch for each caller it is served to. */
class ReadyPrompt extends EncodedJson {
  readonly #version: string
  readonly #input: VersionQuery
  readonly #counts: FetchCounts

  constructor({ payload, etag }: EncodedJson, version: string, input: VersionQuery, counts: FetchCounts) {
    super(payload, etag)
    this.#version = version
    this.#input = input
    this.#counts = counts
  }

  override onServed({ workspaceId, callerId, time }: ServedResponse): void {
    const { slug, version, tag } = this.#input
    const requestedTag = version ? '' : tag || productionTag
    const fetch = { promptSlug: slug, version: this.#version, tag: requestedTag, apiKeyId: callerId }
    this.#counts.add(workspaceId, fetch, time)
  }
}

/** The version to run now, ready to send: every run of an application waits for this. */
export const get: Verb<typeof operations.prompts.get> = async (input, context) => {
  const { slug, targetingKey } = input
  const { cache } = context.workspace
  const { responses, generation } = cache
  const isCandidate = targetingKey ? await isDrawn(input, targetingKey, context) : false
  const key = `prompts.get ${slug}\n${input.version || ''}\n${input.tag || ''}\n${isCandidate ? 'candidate' : ''}`
  const cached = responses.get(key)
  if (cached instanceof ReadyPrompt) {
    count(cached, context)
    return cached
  }
  const prompt = await cache.prompt(slug)
  if (prompt === undefined) throw new ServiceError('prompt_not_found', { slug })
  const answer = answerOf(prompt, input, { isCandidate, counts: context.workspace.fetchCounts })
  if (generation === cache.generation) responses.set(key, answer)
  count(answer, context)
  return answer
}

/** Whether a running rollout serves the candidate to this key. */
async function isDrawn(input: VersionQuery, targetingKey: string, { workspace }: Context): Promise<boolean> {
  const prompt = await workspace.cache.prompt(input.slug)
  const rollout = prompt && rolloutOf(prompt.rollouts, input)
  return rollout !== undefined && isInShare(rollout, targetingKey)
}

function answerOf(
  source: CachedPrompt,
  input: VersionQuery,
  { isCandidate, counts }: { readonly isCandidate: boolean; readonly counts: FetchCounts },
): ReadyPrompt {
  const { slug } = source
  const choice = chooseVersion(source.versions, input)
  if (choice === undefined) {
    const wantsMore = Boolean(input.version || input.tag)
    throw new ServiceError('prompt_not_served', {
      slug,
      selector: wantsMore ? `no ${describeVersionQuery(input)} and ` : '',
    })
  }
  const running = rolloutOf(source.rollouts, input)
  const candidate = isCandidate
    ? source.versions.find(({ version }) => version === running?.candidateVersion)
    : undefined
  const served = candidate ?? choice.version
  const { version, text, systemText, model } = served
  // The candidate is served under the requested tag, which it does not carry.
  const tag = candidate === undefined ? choice.tag : input.tag || productionTag
  const prompt: Prompt = {
    text,
    systemText,
    version,
    tag,
    slug,
    model: readModel(model),
    ...readExtras(served),
  }
  const warnings = [
    ...(choice.isFallback ? [fallbackWarning(slug, input, version)] : []),
    ...(served.partProblems ?? []),
  ]
  return new ReadyPrompt(
    encode({
      prompt,
      ...(warnings.length === 0 ? {} : { warning: warnings.join(' ') }),
      ...(running === undefined ? {} : { rollout: servedRollout(running) }),
    }),
    version,
    { slug, version: input.version, tag: input.tag },
    counts,
  )
}

const servedRollout = ({ id, share, candidateVersion }: CachedPrompt['rollouts'][number]) => ({
  id,
  share,
  candidateVersion,
})

/** Only applications count: prompts viewed in the web app are not served to a run. */
function count(ready: ReadyPrompt, { workspace, caller, now }: Context): void {
  if (caller.session === undefined)
    ready.onServed({ workspaceId: workspace.id, callerId: caller.id, time: now })
}

/** Warns that another version is served than the requested one. */
export const fallbackWarning = (
  slug: string,
  request: { version?: string | null; tag?: string | null },
  ready: string,
): string =>
  `The prompt "${slug}" has no ${describeVersionQuery(request)}; version "${ready}", which is in production, is served instead.`
