/** The caller of a response, and the time. */
export interface ServedResponse {
  readonly workspaceId: string
  readonly callerId: string
  readonly time: Date
}

/**
 * JSON that is ready to send, with its ETag. It depends only on the workspace and the input, and is valid until the
 * workspace's cache is cleared. A string, not bytes: Node writes a string together with the response head in one write, and
 * that write is most of the cost of a small response.
 */
export class EncodedJson {
  readonly payload: string
  readonly etag: string
  constructor(payload: string, etag: string) {
    this.payload = payload
    this.etag = etag
  }

  /** Called when it is served to an API key, both after its verb ran and when it is sent again from the cache. */
  onServed(_served: ServedResponse): void {}
}
