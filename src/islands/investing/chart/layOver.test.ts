import { expect, test } from 'vitest'
import { layOver } from './layOver.ts'

const older = {
  name: 'Older',
  backtest: { firstDay: '2024-01-01', lastDay: '2024-01-04', equity: [1000, 2000, 1000, 3000] },
}
const younger = {
  name: 'Younger',
  backtest: { firstDay: '2024-01-02', lastDay: '2024-01-05', equity: [500, 400, 650, 9] },
}

test('curves begin with the same amount on the first day of the youngest, and end on the last day that all have', () => {
  expect(layOver([older, younger])).toEqual({
    label: 'Older',
    days: ['2024-01-02', '2024-01-03', '2024-01-04'],
    worth: [1000, 500, 1500],
    falls: [0, 0.5, 0],
    scale: 'ratio',
    beside: [{ label: 'Younger', worth: [1000, 800, 1300] }],
  })
})

test('tests without a common day have no course', () => {
  const later = { name: 'Later', backtest: { firstDay: '2025-01-01', lastDay: '2025-01-01', equity: [1] } }
  expect(layOver([older, later]).days).toEqual([])
})
