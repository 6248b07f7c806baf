import { Children, isValidElement } from 'react'
import { expect, test } from 'vitest'
import type { TradedMarket } from '../../../contract/common.ts'
import type { TableProps } from '../../../design/Table.tsx'
import { computeGain, isClosed, listShownPositions, MarketTables } from './positions.tsx'

const none = { units: 0, pendingIn: 0, pendingOut: 0, profit: 0, realised: 0, fees: null }
const held = { ...none, units: 2.5, profit: -57.71, realised: 10.1, fees: 0.2 }
const waiting = { ...none, pendingIn: 250 }
const redeemed = { ...none, realised: -30.83 }

test('a gain or loss is of what is held and of what was redeemed, after fees, to the cent', () => {
  expect(computeGain(held)).toBe(-47.81)
  expect(computeGain({ ...none, profit: 0.1, realised: 0.2 })).toBe(0.3)
})

test('a position is closed when nothing of it is held or waits', () => {
  expect([held, waiting, redeemed, none].map(isClosed)).toEqual([false, false, true, true])
})

test('what was redeemed is listed after what is held, and nothing that was only taken back', () => {
  expect(listShownPositions([redeemed, none, waiting, held])).toEqual([waiting, held, redeemed])
})

const simulated: TradedMarket = { id: 'simulated', name: 'Practice market', real: false }
const kraken: TradedMarket = { id: 'kraken', name: 'Kraken', real: true }

/** Each table's heading, null if it has none, and the markets of its rows. */
function tablesOf(...markets: TradedMarket[]) {
  const rows = markets.map((market) => ({ market }))
  const tables = MarketTables({
    caption: 'All',
    columns: [],
    rowKey: () => '',
    emptyText: '',
    data: { state: 'ready', rows },
  })
  return Children.toArray(tables).map((table) => {
    if (!isValidElement<TableProps<{ market: TradedMarket }>>(table)) throw new Error('No table')
    const { caption, captionShown, data } = table.props
    return [
      captionShown ? caption : null,
      data.state === 'ready' ? data.rows.map(({ market }) => market.id) : [],
    ]
  })
}

test('rows of the simulated market alone stay one table without a heading', () => {
  expect(tablesOf(simulated, simulated)).toEqual([[null, ['simulated', 'simulated']]])
  expect(tablesOf()).toEqual([[null, []]])
})

test('live prices and the simulated market are never in one table', () => {
  const live = 'Live prices of Kraken, simulated money (paper trading)'
  expect(tablesOf(simulated, kraken, simulated, kraken)).toEqual([
    [live, ['kraken', 'kraken']],
    ['Practice market', ['simulated', 'simulated']],
  ])
  expect(tablesOf(kraken)).toEqual([[live, ['kraken']]])
})
