/**
 * Labels for kappa, after Landis and Koch (1977), whose ranges have two decimals, so a rounding error above 0.8 still
 * counts as 0.8. Pure.
 */
export function kappaLabel(exact: number): string {
  const kappa = Math.round(exact * 100) / 100
  if (kappa < 0) return 'worse than chance'
  if (kappa <= 0.2) return 'slight'
  if (kappa <= 0.4) return 'fair'
  if (kappa <= 0.6) return 'moderate'
  return kappa <= 0.8 ? 'substantial' : 'almost perfect'
}
