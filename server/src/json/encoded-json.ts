/**
 * JSON that is ready to send, with its tag for conditional requests. It is a text, not bytes: Node writes a text in
 * one piece with the head of the answer, and that write is most of what a small answer costs.
 */
export class EncodedJson {
  readonly payload: string
  readonly etag: string
  constructor(payload: string, etag: string) {
    this.payload = payload
    this.etag = etag
  }
}
