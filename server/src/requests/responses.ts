/** What a verb may return instead of a plain object. */
import type { Readable } from 'node:stream'

/** JSON that is too long to hold in memory: its text in chunks. */
export class StreamedJson {
  readonly pieces: AsyncIterable<string>
  constructor(pieces: AsyncIterable<string>) {
    this.pieces = pieces
  }
}

/** A file. */
export class FileBytes {
  readonly stream: Readable
  readonly contentType: string
  readonly fileName: string
  constructor(stream: Readable, contentType: string, fileName: string) {
    this.stream = stream
    this.contentType = contentType
    this.fileName = fileName
  }
}

/** Server-Sent Events, sent as they happen. The signal is aborted when the client disconnects. */
export class EventStream {
  readonly events: (signal: AbortSignal) => AsyncIterable<object>
  constructor(events: (signal: AbortSignal) => AsyncIterable<object>) {
    this.events = events
  }
}
