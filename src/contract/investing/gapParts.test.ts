import { expect, test } from 'vitest'
import { buildGapLines, computeGapScale, drawGapBars, formatBasisPoints, GAP_PARTS } from './gapParts.ts'

const none = { price: 0, slippage: 0, fees: 0, cashDrag: 0, missed: 0, rounding: 0, unexplained: 0 }
const days = [
  { difference: -3, parts: { ...none, fees: -4, price: 1 } },
  { difference: 2, parts: { ...none, fees: 2 } },
]

test('the chart has a line for the difference and one for each part, with what its days add up to', () => {
  const lines = buildGapLines(days)
  expect(lines).toHaveLength(1 + GAP_PARTS.length)
  expect(lines[0]).toEqual({ name: 'Live minus test', values: [-3, 2], total: -1 })
  expect(lines[3]).toEqual({ name: 'Fees', values: [-4, 2], total: -2 })
  expect(computeGapScale(lines)).toBe(4)
})

test('all lines have one scale, so that roundings do not look like losses', () => {
  expect(computeGapScale(buildGapLines([{ difference: 0.0001, parts: { ...none, rounding: 0.0001 } }]))).toBe(
    1,
  )
})

test('gains are bars above the middle, losses below it', () => {
  const { gains, losses } = drawGapBars({ name: '', values: [-4, 0, 2], total: -2 }, 4)
  expect(losses).toBe('M0.1 1h.8V2.0000h-.8z')
  expect(gains).toBe('M2.1 1h.8V0.5000h-.8z')
})

test('figures have a sign and two decimals, and what rounds to 0 has none', () => {
  expect([-0.354, 1.2, 0.004, -0.004, -12345.678].map(formatBasisPoints)).toEqual([
    '−0.35',
    '+1.20',
    '0.00',
    '0.00',
    '−12345.68',
  ])
})
