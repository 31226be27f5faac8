/** Which files of foreign text may be played, followed or saved. Pure. */
import { safeLink, serviceFile } from './safe-address.ts'

/** Where sound or a film is that may be played, or undefined, as for images. */
export function safeMedia(
  address: string | undefined,
  mediaType: string | undefined,
): { readonly type: 'audio' | 'video'; readonly address: string } | undefined {
  const type = mediaType?.startsWith('video/') ? 'video' : 'audio'
  if (address === undefined) return undefined
  if (playable.test(address)) return { type: address.startsWith('data:video') ? 'video' : 'audio', address }
  const file = /^(audio|video)\//.test(mediaType ?? '') ? serviceFile(address) : undefined
  return file === undefined ? undefined : { type, address: file }
}

/** What browsers play; others, such as raw samples, can only be saved. */
const playable =
  /^data:(audio\/(x-wav|wave?|mp3|mpeg|ogg|opus|flac|aac|mp4|m4a|x-m4a|webm)|video\/(mp4|webm|ogg|quicktime));base64,/i

/** Where a file is that may be followed or saved: elsewhere, or one of this service. */
export const safeFile = (address: string | undefined): string | undefined =>
  safeLink(address) ?? (address === undefined ? undefined : serviceFile(address))

/** The bytes of an address that contains them, or undefined where it does not. */
export function bytesIn(address: string | undefined): Uint8Array<ArrayBuffer> | undefined {
  const [, base64] = /^data:[^,]*;base64,(.*)$/s.exec(address ?? '') ?? []
  if (base64 === undefined) return undefined
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  } catch {
    return undefined
  }
}
