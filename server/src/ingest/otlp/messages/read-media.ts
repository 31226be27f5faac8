/** Reads images, audio and files in messages, in the formats of all providers. */
import { field, isObject, textOrUndefined } from '../json-value.ts'
import type { Part } from './message.ts'

/** The part for a block that contains or references media; undefined for any other block. */
export function readMedia(block: Readonly<Record<string, unknown>>): Part | undefined {
  const type = textOrUndefined(block.type) ?? ''
  const inline = block.inlineData ?? block.inline_data
  if (isObject(inline)) return blob('', mimeOf(inline), inline.data)
  const file = block.fileData ?? block.file_data
  if (isObject(file)) return uri('', mimeOf(file), file.fileUri ?? file.file_uri)
  const modality = modalityOf(type)
  if (modality === undefined) return undefined
  // Already a part of the GenAI conventions, whose modality is more precise than its type.
  if (type === 'file' && typeof block.modality === 'string') return undefined
  // The media are next to the type, or nested once or twice under a key of that name.
  for (const holder of [
    block,
    block.source,
    block[type],
    field(block[type], type),
    block.image_url,
    block.file,
  ]) {
    const part = typeof holder === 'string' ? mediaAt(modality, undefined, holder) : mediaIn(holder, modality)
    if (part !== undefined) return part
  }
  return undefined
}

/** The modality, by words in the type of the block: `input_image`, `image_url`, `audio-url`, `document`. */
function modalityOf(type: string): string | undefined {
  if (/image/i.test(type)) return 'image'
  if (/audio/i.test(type)) return 'audio'
  if (/video/i.test(type)) return 'video'
  if (/file|document|media|binary/i.test(type)) return 'file'
  return undefined
}

function mediaIn(holder: unknown, modality: string): Part | undefined {
  if (!isObject(holder)) return undefined
  const mime = mimeOf(holder)
  const id = textOrUndefined(holder.file_id ?? holder.fileId)
  if (id !== undefined) return { type: 'file', modality, ...(mime ? { mime_type: mime } : {}), file_id: id }
  for (const key of ['url', 'uri', 'image_url', 'image', 'data', 'file_data', 'bytes', 'content']) {
    const value = holder[key]
    if (typeof value === 'string' && value !== '') return mediaAt(modality, mime, value)
    if (key === 'image_url' || key === 'image') {
      const url = textOrUndefined(field(value, 'url'))
      if (url !== undefined) return mediaAt(modality, mime, url)
    }
  }
  return undefined
}

function mimeOf(holder: Readonly<Record<string, unknown>>): string | undefined {
  for (const key of ['mime_type', 'mimeType', 'media_type', 'mediaType']) {
    const mime = textOrUndefined(holder[key])
    if (mime !== undefined) return mime
  }
  return undefined
}

/** A data URL contains the media, another URL references them, and anything else is base64. */
function mediaAt(modality: string, mime: string | undefined, value: string): Part | undefined {
  const data = /^data:([^;,]*)[^,]*;base64,/.exec(value.slice(0, 300))
  if (data !== null) return blob(modality, data[1] || mime, value.slice(data[0].length))
  return /^[a-z][a-z0-9+.-]*:/i.test(value.slice(0, 30)) || value.startsWith('/')
    ? uri(modality, mime, value)
    : blob(modality, mime, value)
}

const modalityByMime = (mime: string | undefined) => mime?.split('/')[0] || 'file'

function blob(modality: string, mime: string | undefined, content: unknown): Part | undefined {
  if (typeof content !== 'string') return undefined
  return {
    type: 'blob',
    modality: modality || modalityByMime(mime),
    ...(mime ? { mime_type: mime } : {}),
    content,
  }
}

function uri(modality: string, mime: string | undefined, where: unknown): Part | undefined {
  if (typeof where !== 'string') return undefined
  return {
    type: 'uri',
    modality: modality || modalityByMime(mime),
    ...(mime ? { mime_type: mime } : {}),
    uri: where,
  }
}
