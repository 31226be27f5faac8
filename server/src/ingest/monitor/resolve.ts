/** Resolves the references of a trace in its workspace's cache. An unknown prompt or evaluator only gives a warning. */
import { type Log, ServiceError, type Trace } from '@plumbline/contract'
import { isInShare } from '@plumbline/contract/rollout-draw'
import { chooseVersion, describeVersionQuery } from '../../workspace/choose-version.ts'
import { readExtras } from '../../workspace/extras.ts'
import { readModel } from '../../workspace/model.ts'
import { rolloutOf } from '../../workspace/rollout-of.ts'
import type { CachedVersion, WorkspaceCache } from '../../workspace/workspace-cache.ts'
import type { ServedPrompt } from './record.ts'

type Generation = Extract<Log, { type: 'generation' }>
type Reference = NonNullable<Generation['prompt']>

/** The feature of a trace. The slug of a prompt is accepted too and means that prompt's feature. */
export async function resolveFeature(
  { featureSlug, chainSlug }: Pick<Trace, 'featureSlug' | 'chainSlug'>,
  cache: WorkspaceCache,
): Promise<string | null> {
  const slug = featureSlug || chainSlug
  if (!slug) return null
  if (await cache.hasFeature(slug)) return slug
  const prompt = await cache.prompt(slug)
  if (prompt === undefined) throw new ServiceError('feature_not_found', { slug })
  return prompt.featureSlug
}

export interface ResolvedPrompt {
  readonly servedPrompt: ServedPrompt | undefined
  /** A sentence with a full stop. */
  readonly warning: string | undefined
}

interface PromptUse {
  /** Whether the input has to be rendered from the template. */
  readonly needsTemplate: boolean
  /** The user that the prompt was served to, if known. */
  readonly userId: string | undefined
}

/**
 * The version that a prompt reference resolves to, which is the version that the service serves for it. During a rollout,
 * a user within its percentage may have been served either version, so the version stays open.
 */
export async function resolvePrompt(
  reference: Reference,
  { needsTemplate, userId }: PromptUse,
  cache: WorkspaceCache,
): Promise<ResolvedPrompt> {
  const { slug } = reference
  const prompt = await cache.prompt(slug)
  if (prompt === undefined) return { servedPrompt: undefined, warning: `No prompt has the slug "${slug}".` }
  const choice = chooseVersion(prompt.versions, reference)
  if (choice === undefined) {
    const missing = reference.version || reference.tag ? `no ${describeVersionQuery(reference)} and ` : ''
    return {
      servedPrompt: undefined,
      warning: `The prompt "${slug}" has ${missing}no version in production.`,
    }
  }
  const rollout = rolloutOf(prompt.rollouts, reference)
  const candidate = prompt.versions.find(({ version: name }) => name === rollout?.candidateVersion)
  if (rollout !== undefined && candidate !== undefined && userId && isInShare(rollout, userId))
    return {
      servedPrompt: eitherOf(slug, choice.version, candidate),
      warning: openWarning(slug, rollout.tag),
    }
  const { version, text, systemText, messages } = choice.version
  const { provider, model } = readModel(choice.version.model)
  return {
    servedPrompt: {
      slug,
      version,
      provider,
      model,
      ...(needsTemplate ? { template: { text, systemText, ...readExtras({ messages }) } } : {}),
    },
    warning: choice.isFallback
      ? `The prompt "${slug}" has no ${describeVersionQuery(reference)}; its production version "${version}" was used.`
      : undefined,
  }
}

/** A prompt that was served in one of two versions: its model is known if both versions have the same. */
function eitherOf(slug: string, production: CachedVersion, candidate: CachedVersion): ServedPrompt {
  const [first, second] = [readModel(production.model), readModel(candidate.model)]
  const isSame = first.provider === second.provider && first.model === second.model
  return { slug, version: null, provider: isSame ? first.provider : '', model: isSame ? first.model : '' }
}

const openWarning = (slug: string, tag: string): string =>
  `The tag "${tag}" of the prompt "${slug}" is being rolled out, and this user may have been served either version; name the version that was served.`

/** The default rates of the existing evaluators, and a warning for each unknown one. */
export async function resolveEvaluators(
  slugs: ReadonlySet<string>,
  cache: WorkspaceCache,
): Promise<{ rates: [slug: string, rate: number][]; warnings: string[] }> {
  const rates: [string, number][] = []
  const warnings: string[] = []
  for (const slug of slugs) {
    const rate = (await cache.evaluator(slug))?.sampleRate
    if (rate === undefined) warnings.push(`No evaluator has the slug "${slug}".`)
    else rates.push([slug, rate])
  }
  return { rates, warnings }
}
