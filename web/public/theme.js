// Runs before the first paint, so that a dark page never flashes white. A file of its own: the policy forbids inline code.
;(() => {
  const root = document.documentElement
  const kept = (name) => {
    try {
      return localStorage.getItem(`plumbline.${name}`)
    } catch {
      return null
    }
  }
  const theme = kept('theme')
  const isDark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.dataset.theme = isDark ? 'dark' : 'light'
  root.dataset.density = kept('density') === 'compact' ? 'compact' : 'comfortable'
})()
