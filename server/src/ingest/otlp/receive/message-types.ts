/** The message types of an export, as far as its bytes are inspected before decoding. */

export const varint = 0
export const fixed64 = 1
export const bytes = 2
export const fixed32 = 5

/** The type of each field by its number: a wire type or a message. */
export interface MessageType {
  fields: readonly (number | MessageType | undefined)[]
}

function messageOf(fields: Readonly<Record<number, number | MessageType>>): MessageType {
  const length = Math.max(...Object.keys(fields).map(Number)) + 1
  return { fields: Array.from({ length }, (_, number) => fields[number]) }
}

/** The only varint field with up to 64 bits; the others have 32. */
export const intValue = 3

// Field numbers are those of OpenTelemetry's `common.proto`, `resource.proto`, `trace.proto` and `logs.proto`.
export const value: MessageType = { fields: [] }
export const attribute = messageOf({ 1: bytes, 2: value })
const values = messageOf({ 1: value })
const attributes = messageOf({ 1: attribute })
value.fields = messageOf({
  ...{ 1: bytes, 2: varint, [intValue]: varint, 4: fixed64, 5: values, 6: attributes, 7: bytes },
}).fields
const entity = messageOf({ 1: bytes, 2: bytes, 3: bytes, 4: bytes })
const resource = messageOf({ 1: attribute, 2: varint, 3: entity })
const scope = messageOf({ 1: bytes, 2: bytes, 3: attribute, 4: varint })
const event = messageOf({ 1: fixed64, 2: bytes, 3: attribute, 4: varint })
const status = messageOf({ 2: bytes, 3: varint })
export const link = messageOf({ 1: bytes, 2: bytes, 3: bytes, 4: attribute, 5: varint, 6: fixed32 })
export const span = messageOf({
  ...{ 1: bytes, 2: bytes, 3: bytes, 4: bytes, 5: bytes, 6: varint, 7: fixed64, 8: fixed64, 9: attribute },
  ...{ 10: varint, 11: event, 12: varint, 13: link, 14: varint, 15: status, 16: fixed32 },
})
const scopeSpans = messageOf({ 1: scope, 2: span, 3: bytes })
const resourceSpans = messageOf({ 1: resource, 2: scopeSpans, 3: bytes })
export const traceRequest = messageOf({ 1: resourceSpans })
// Only the fields that the decoder of logs reads.
const logRecord = messageOf({
  1: fixed64,
  5: value,
  6: attribute,
  9: bytes,
  10: bytes,
  11: fixed64,
  12: bytes,
})
const scopeLogs = messageOf({ 1: scope, 2: logRecord })
const resourceLogs = messageOf({ 1: resource, 2: scopeLogs })
export const logsRequest = messageOf({ 1: resourceLogs })
