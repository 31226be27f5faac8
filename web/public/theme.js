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
  // The page calls these, and older browsers would show nothing of it.
  if (!Promise.withResolvers || !Map.groupBy || !Array.fromAsync || !URL.canParse)
    addEventListener('DOMContentLoaded', () => {
      document.body.textContent =
        'This browser is too old for Plumbline, which needs Chrome or Edge 123, Firefox 128 or Safari 17.5, or newer.'
    })
  // Without its code the page would stay white.
  addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLScriptElement && document.body?.innerText.trim() === '')
        document.body.textContent = 'Plumbline does not respond. Reload the page to try again.'
    },
    true,
  )
  root.dataset.density = kept('density') === 'compact' ? 'compact' : 'comfortable'
})()
