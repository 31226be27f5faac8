/** Below the filter of a list whose rows sum traces up: a conversation of seven turns has one where one matches. */
export const MatchesNote = () => (
  <p className="mt-1.5 text-xs text-ink-3">Figures cover only the traces that match.</p>
)
