import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { Verdict } from './Verdict.tsx'

const tested = (stoppedOn: string | null) => ({
  backtest: {
    market: { id: 'simulated' as const, name: 'Simulated market', real: false },
    data: [],
    from: '2020-01-02',
    to: '2026-06-30',
    totalReturn: 1,
    cagr: 0.1,
    maximumDrawdown: 0.4,
    worstYear: { year: 2022, days: 365, became: 1, recoveredDays: 1, lostAgain: false },
    verdict: { level: 'luck' as const, label: 'No better than luck' },
    stoppedOn,
  },
})

it('says what our checks found, and when the test hit its drawdown limit', () => {
  const words = (strategy: Parameters<typeof Verdict>[0]['strategy']) =>
    renderToStaticMarkup(createElement(Verdict, { strategy })).replace(/<[^>]+>/g, '')
  expect(words(tested(null))).toBe('No better than luck.')
  expect(words(tested('2023-01-17'))).toBe('No better than luck. Hit its drawdown limit on 2023-01-17.')
  expect(words({ backtest: null })).toBe('Not tested')
})
