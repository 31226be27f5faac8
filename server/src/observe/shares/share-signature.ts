/** The token of a share link: the ids of the link and its workspace, with a signature that only this service can make. */
import { createHmac, timingSafeEqual } from 'node:crypto'

export interface ShareKey {
  readonly workspaceId: string
  readonly id: string
}

export interface ShareSigner {
  tokenOf(share: ShareKey): string
  /** The link that a token names; undefined for a token that was not made here. */
  read(token: string): ShareKey | undefined
}

export function makeShareSigner(secret: Buffer): ShareSigner {
  const digest = ({ workspaceId, id }: ShareKey): Buffer =>
    createHmac('sha256', secret)
      .update(JSON.stringify([workspaceId, id]))
      .digest()
  return {
    tokenOf: (share) => [share.workspaceId, share.id, digest(share).toString('base64url')].join('.'),
    read(token) {
      const [workspaceId = '', id = '', signature = '', ...rest] = token.split('.')
      const share = { workspaceId, id }
      const expected = digest(share)
      const actual = Buffer.from(signature, 'base64url')
      const isGenuine =
        rest.length === 0 && actual.length === expected.length && timingSafeEqual(actual, expected)
      return isGenuine ? share : undefined
    },
  }
}
