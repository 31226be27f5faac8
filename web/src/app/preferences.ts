/** The user's appearance settings on this device. `public/theme.js` reads the same before the first paint. */
import { useEffect } from 'react'
import { useRemembered } from '../ui/storage/remembered.ts'

export type Theme = 'light' | 'dark' | 'system'
export type Density = 'comfortable' | 'compact'

export function useTheme(): [Theme, (theme: Theme) => void] {
  const [preference, set] = useRemembered('theme', 'system')
  return [preference === 'light' || preference === 'dark' ? preference : 'system', set]
}

export function useDensity(): [Density, (density: Density) => void] {
  const [preference, set] = useRemembered('density', 'comfortable')
  return [preference === 'compact' ? 'compact' : 'comfortable', set]
}

/** Applies the settings to the document, also when the system theme changes. */
export function useApplyPreferences(): void {
  const [theme] = useTheme()
  const [density] = useDensity()
  useEffect(() => {
    const system = matchMedia('(prefers-color-scheme: dark)')
    const apply = (): void => {
      const isDark = theme === 'dark' || (theme === 'system' && system.matches)
      document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
    }
    apply()
    system.addEventListener('change', apply)
    return () => system.removeEventListener('change', apply)
  }, [theme])
  useEffect(() => {
    document.documentElement.dataset.density = density
  }, [density])
}
