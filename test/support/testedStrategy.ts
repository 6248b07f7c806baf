interface Tested {
  readonly maximumDrawdown?: number
  readonly worstYear?: { became: number; recoveredDays: number | null; lostAgain: boolean }
  readonly pausedOn?: string[]
}

/** The key figures of a strategy's test on the simulated market, as the API returns them. */
export function testedStrategy({
  maximumDrawdown = 0.4,
  worstYear = { became: 1, recoveredDays: 1, lostAgain: false },
  pausedOn = [],
}: Tested) {
  return {
    backtest: {
      market: { id: 'simulated' as const, name: 'Practice market', real: false },
      data: [],
      from: '2020-01-02',
      to: '2026-06-30',
      totalReturn: 1,
      cagr: 0.1,
      maximumDrawdown,
      became: 2000,
      heldBecame: 3000,
      worstYear: { year: 2022, days: 365, ...worstYear },
      verdict: { level: 'luck' as const, label: 'No better than luck' },
      pausedOn,
      forward: null,
    },
  }
}
