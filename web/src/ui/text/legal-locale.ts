/**
 * uPlot creates number formats from `navigator.language` when it loads, and some systems have no valid language tag
 * there.
 */
try {
  new Intl.NumberFormat(navigator.language)
} catch {
  // "en-US@posix", from a browser without a locale, would break every screen with a chart.
  Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true })
}

export {}
