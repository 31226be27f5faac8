/** Which version of a prompt is served. */
import { productionTag } from '@plumbline/contract'

interface TaggedVersion {
  readonly version: string
  readonly tags: readonly string[]
}

interface VersionQuery {
  readonly version?: string | null | undefined
  readonly tag?: string | null | undefined
}

interface VersionChoice<Version> {
  readonly version: Version
  /** The tag that was asked for if the version carries it, else `production` if it carries that, else "". */
  readonly tag: string
  /** Another version than the one asked for. */
  readonly isFallback: boolean
}

/**
 * The version if the request names one, else the tag if it names one, else `production`. If that fails, `production`.
 * Undefined if that is missing too. "" equals absent.
 */
export function chooseVersion<Version extends TaggedVersion>(
  versions: readonly Version[],
  request: VersionQuery,
): VersionChoice<Version> | undefined {
  const version = request.version || undefined
  const tag = request.tag || undefined
  const match =
    version !== undefined
      ? versions.find((candidate) => candidate.version === version)
      : carrierOf(versions, tag ?? productionTag)
  const choice = match ?? carrierOf(versions, productionTag)
  if (choice === undefined) return undefined
  return { version: choice, tag: servedTag(choice.tags, tag), isFallback: match === undefined }
}

const carrierOf = <Version extends TaggedVersion>(
  versions: readonly Version[],
  tag: string,
): Version | undefined => versions.find(({ tags }) => tags.includes(tag))

function servedTag(tags: readonly string[], requestedTag: string | undefined): string {
  if (requestedTag !== undefined && tags.includes(requestedTag)) return requestedTag
  return tags.includes(productionTag) ? productionTag : ''
}

/** What was asked for, in words: `version "2.0.0"`, `tag "staging"`, or the production version. */
export function askedInWords({ version, tag }: VersionQuery): string {
  if (version) return `version "${version}"`
  return `version with the tag "${tag || productionTag}"`
}
