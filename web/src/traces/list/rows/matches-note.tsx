/**
 * Shown below the filter of a list whose rows sum up traces: a conversation of seven turns counts one if only one
 * matches.
 */
export const MatchesNote = () => (
  <p className="mt-1.5 text-xs text-ink-3">Figures cover only the traces that match.</p>
)
