/** How long ended evaluations are remembered, so that records which are drained twice are not evaluated twice. */
export const retentionMs = { ended: 7 * 24 * 3_600_000, failed: 30 * 24 * 3_600_000 }
