/** uPlot makes number formats of `navigator.language` when it loads, and some systems put no language tag there. */
try {
  new Intl.NumberFormat(navigator.language)
} catch {
  // "en-US@posix", of a browser without a locale, would stop every screen with a chart.
  Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true })
}

export {}
