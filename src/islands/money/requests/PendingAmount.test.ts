import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Limits } from '../../../contract/money/limits.ts'
import type { Queue } from './limits.ts'
import { PendingAmount } from './PendingAmount.tsx'

function render(queue: Queue, open: number, pending: number): string {
  const limits = { [queue]: { minimum: 0, open, pending } } as unknown as Limits
  return renderToStaticMarkup(createElement(PendingAmount, { limits, queue })).replace(/<[^>]*>/g, '')
}

test('a form tells what its open requests add up to', () => {
  expect(render('deposits', 0, 0)).toBe('')
  expect(render('deposits', 1, 1500.5)).toBe('An open deposit of $1,500.50 is not credited yet. ')
  expect(render('deposits', 2, 80)).toBe('2 open deposits, $80.00 in all, are not credited yet. ')
  expect(render('withdrawals', 1, 20)).toBe('$20.00 is held for an open withdrawal. ')
  expect(render('withdrawals', 18, 20)).toBe('$20.00 is held for 18 open withdrawals. ')
})
