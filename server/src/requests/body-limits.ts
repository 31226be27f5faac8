/** Limits of request bodies, the same for HTTP and gRPC. */

/** Exactly 16 MiB, after decompression. */
export const bodyBytesMax = 16 * 1024 * 1024

/** Of what is sent to sign in, by people who are not known yet. */
export const authBytesMax = 64 * 1024
