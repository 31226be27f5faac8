/**
 * Counts the messages of a protobuf export before it is decoded. A message takes as few as two bytes, of which the decoder
 * makes a hundred, and a full heap ends the process. So the messages of an export that might have too many are counted first.
 */
import { invalid } from '@plumbline/contract/errors'
import { containersMaxOfProcess } from '../../../json/json-text.ts'
import { bytes, fixed32, fixed64, intValue, type MessageType, value, varint } from './message-types.ts'

/**
 * Throws `invalid_request` if an export has more messages than the process has room for, and another error if the decoder
 * might interpret its bytes differently from this function.
 */
export function refuseManyMessages(
  body: Buffer,
  type: MessageType,
  messagesMax: number = containersMaxOfProcess,
): void {
  if (body.length > 2 * messagesMax) new Counter(body, messagesMax).read(type, body.length)
}

class Counter {
  readonly #body: Buffer
  readonly #messagesMax: number
  #position = 0
  #messages = 0

  constructor(body: Buffer, messagesMax: number) {
    this.#body = body
    this.#messagesMax = messagesMax
  }

  /** Like the decoder, reads a known field by its declared type, whatever its wire type. */
  read(type: MessageType, end: number): void {
    while (this.#position < end) {
      const tag = this.#varint(5)
      const field = tag >>> 3
      const fieldType = type.fields[field]
      if (typeof fieldType === 'object') this.#message(fieldType)
      else if (fieldType === varint) this.#knownVarint(type === value && field === intValue)
      else this.#skip(fieldType ?? tag & 7)
    }
  }

  #message(type: MessageType): void {
    this.#messages += 1
    if (this.#messages > this.#messagesMax)
      throw invalid(
        '',
        `must not have more than ${this.#messagesMax} messages: the service has no memory for more`,
      )
    const length = this.#varint(5)
    this.read(type, this.#position + length)
  }

  /** For 32-bit fields, the decoder reads either five or ten bytes. */
  #knownVarint(isLong: boolean): void {
    const start = this.#position
    this.#varint(10)
    const length = this.#position - start
    if (!isLong && length > 5 && length < 10) throw notLegal()
  }

  #skip(wireType: number): void {
    switch (wireType) {
      case varint:
        this.#varint(10)
        break
      case fixed64:
        this.#advance(8)
        break
      case bytes:
        this.#advance(this.#varint(5))
        break
      case fixed32:
        this.#advance(4)
        break
      default:
        // Also for groups, which are obsolete.
        throw notLegal()
    }
  }

  #advance(count: number): void {
    this.#position += count
    if (this.#position > this.#body.length) throw notLegal()
  }

  /** The low 32 bits of the varint. */
  #varint(bytesMax: 5 | 10): number {
    let result = 0
    for (let index = 0; index < bytesMax; index++) {
      const byte = this.#body[this.#position++]
      if (byte === undefined) throw notLegal()
      if (index < 5) result |= (byte & 127) << (7 * index)
      if (byte < 128) return result >>> 0
    }
    throw notLegal()
  }
}

const notLegal = (): Error => new Error('The export is malformed.')
