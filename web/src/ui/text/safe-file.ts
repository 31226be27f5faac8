/** The files in foreign text that may be played, followed or saved. Pure. */
import { safeLink, serviceFile } from './safe-address.ts'

/** The URL of permitted audio or video, or undefined, as for images. */
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

/** The types that browsers play; others, such as raw samples, can only be saved. */
const playable =
  /^data:(audio\/(x-wav|wave?|mp3|mpeg|ogg|opus|flac|aac|mp4|m4a|x-m4a|webm)|video\/(mp4|webm|ogg|quicktime));base64,/i

/** The URL of a file that may be followed or saved: remote, or of this service. */
export const safeFile = (address: string | undefined): string | undefined =>
  safeLink(address) ?? (address === undefined ? undefined : serviceFile(address))

/** The bytes of a `data:` URL, or undefined for other URLs. */
export function bytesIn(address: string | undefined): Uint8Array<ArrayBuffer> | undefined {
  const [, base64] = /^data:[^,]*;base64,(.*)$/s.exec(address ?? '') ?? []
  if (base64 === undefined) return undefined
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  } catch {
    return undefined
  }
}
