/**
 * The Calmar ratio (T. W. Young, Calmar Ratio: A Smoother Tool, Futures 20, 1991), here over the whole period: CAGR / |maximum
 * drawdown|. Null under 365 days, and where nothing fell.
 */
export function calmar(annualGrowth: number | null, maximumDrawdown: number): number | null {
  return annualGrowth === null || maximumDrawdown === 0 ? null : annualGrowth / -maximumDrawdown
}
