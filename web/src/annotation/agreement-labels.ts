/** Labels for kappa, after Landis and Koch (1977). Pure. */
export function kappaWord(kappa: number): string {
  if (kappa < 0) return 'worse than chance'
  if (kappa <= 0.2) return 'slight'
  if (kappa <= 0.4) return 'fair'
  if (kappa <= 0.6) return 'moderate'
  return kappa <= 0.8 ? 'substantial' : 'almost perfect'
}
