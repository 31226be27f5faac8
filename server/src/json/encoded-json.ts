/** Who is served a response, and when. */
export interface ServedResponse {
  readonly workspaceId: string
  readonly callerId: string
  readonly time: Date
}

/**
 * JSON that is ready to send, with its tag for conditional requests. It depends on nothing but the workspace and the
 * input, and holds until the cache of the workspace is cleared. It is a text, not bytes: Node writes a text in one piece
 * with the head of the answer, and that write is most of what a small answer costs.
 */
export class EncodedJson {
  readonly payload: string
  readonly etag: string
  constructor(payload: string, etag: string) {
    this.payload = payload
    this.etag = etag
  }

  /** What follows of serving it to an API key, whether its verb runs or the response is sent again without it. */
  onServed(_served: ServedResponse): void {}
}
