import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { testedStrategy } from '../../../../test/support/testedStrategy.ts'
import { Verdict } from './Verdict.tsx'

it('says what our checks found, and how often the test paused at its drawdown limit', () => {
  const words = (strategy: Parameters<typeof Verdict>[0]['strategy']) =>
    renderToStaticMarkup(createElement(Verdict, { strategy })).replace(/<[^>]+>/g, '')
  expect(words(testedStrategy({}))).toBe('No better than luck.')
  expect(words(testedStrategy({ pausedOn: ['2018-02-01', '2023-01-17'] }))).toBe(
    'No better than luck. Paused at its drawdown limit: 2×.',
  )
  expect(words({ backtest: null })).toBe('Not tested')
})
