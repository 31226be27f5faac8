export function KeysTab() {
  return null
}
