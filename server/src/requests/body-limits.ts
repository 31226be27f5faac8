/** Limits of request bodies, the same for HTTP and gRPC. */

/** Exactly 16 MiB, after decompression. */
export const bodyBytesMax = 16 * 1024 * 1024

/** For sign-in requests, by clients that are not identified yet. */
export const authBytesMax = 64 * 1024
