/** Converts images and files in messages from the formats of OpenAI, Anthropic and the AI SDK to that of the AI SDK. */
import { invalid } from '@plumbline/contract'
import type { FilePart, ImagePart, TextPart } from 'ai'
import { isJson, type Json, textOf } from './json-message.ts'

/** Undefined for a part that is neither. Throws `invalid_request` for one that is neither inline nor at an https URL. */
export function attachmentOf(part: Json, path: string): ImagePart | FilePart | TextPart | undefined {
  switch (part.type) {
    case 'image_url':
    case 'input_image':
    case 'image':
      return { type: 'image', image: requireAddress(imageAddress(part), `${path}.content`, 'an image') }
    case 'file':
    case 'input_file':
    case 'document':
    case 'input_audio':
      return fileOf(part, path)
    default:
      return undefined
  }
}

function imageAddress({ image_url: url, source, image, mediaType, mimeType }: Json): string | undefined {
  if (isJson(source)) return sourceAddress(source, 'image/png')
  if (image !== undefined) return addressOf(image, mediaType ?? mimeType ?? 'image/png')
  return addressOf(isJson(url) ? url.url : url)
}

function fileOf(part: Json, path: string): FilePart | TextPart {
  const { source, input_audio: audio } = part
  if (isJson(source) && source.data !== undefined && source.type === 'text')
    return { type: 'text', text: textOf(source.data) }
  if (isJson(source) && source.content !== undefined) return { type: 'text', text: textOf(source.content) }
  const file = isJson(part.file) ? part.file : part
  const mediaType = file.mediaType ?? file.mimeType ?? 'application/pdf'
  const address = isJson(source)
    ? sourceAddress(source, 'application/pdf')
    : isJson(audio)
      ? addressOf(audio.data, `audio/${String(audio.format)}`)
      : addressOf(file.file_data ?? file.data ?? file.file_url, mediaType)
  const data = requireAddress(address, `${path}.content`, 'a file')
  const filename = file.filename ?? part.title
  return {
    type: 'file',
    data,
    mediaType: typeof data === 'string' ? /^data:([^;,]*)/.exec(data)![1]! : String(mediaType),
    ...(typeof filename === 'string' && { filename }),
  }
}

/** The URL of an Anthropic source. */
const sourceAddress = (source: Json, mediaType: string): string | undefined =>
  source.type === 'base64' ? addressOf(source.data, source.media_type ?? mediaType) : addressOf(source.url)

/** Bare base64 of a known type becomes a data: URL; anything else is unchanged. */
function addressOf(value: unknown, mediaType?: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  return mediaType === undefined || /^[a-z]+:/i.test(value)
    ? value
    : `data:${String(mediaType)};base64,${value}`
}

/** We never fetch images and files: they are inline, or the provider fetches them. */
function requireAddress(address: string | undefined, path: string, what: string): URL | string {
  if (address?.startsWith('data:')) return address
  if (address?.startsWith('https://') && URL.canParse(address)) return new URL(address)
  throw invalid(path, `has ${what} that is neither a data: URL nor at an https:// address`)
}
