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
  /** The requested tag if the version carries it, else `production` if it carries that, else "". */
  readonly tag: string
  /** True if another version than the requested one is served. */
  readonly isFallback: boolean
}

/**
 * The requested version, else the version with the requested tag or, without one, with `production`. If there is none, the
 * production version. Undefined if that is missing too. "" equals absent.
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

/** Describes the request: `version "2.0.0"`, or `version with the tag "staging"`. */
export function describeVersionQuery({ version, tag }: VersionQuery): string {
  if (version) return `version "${version}"`
  return `version with the tag "${tag || productionTag}"`
}
