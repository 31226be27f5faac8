/** What a verb may answer with in place of a plain object. */
import type { Readable } from 'node:stream'

/** JSON that is too long to hold: its text in pieces. */
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

/** Server-Sent Events: what is told as it happens. The signal says that nobody listens any more. */
export class EventStream {
  readonly events: (signal: AbortSignal) => AsyncIterable<object>
  constructor(events: (signal: AbortSignal) => AsyncIterable<object>) {
    this.events = events
  }
}
