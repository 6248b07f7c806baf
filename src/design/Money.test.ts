import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { formatMoney, Money, OwnAmounts } from './Money.tsx'

test('money always shows its cents and a real minus sign', () => {
  expect(formatMoney(1234.5)).toBe('$1,234.50')
  expect(formatMoney(-3)).toBe('−$3.00')
  expect(formatMoney(0)).toBe('$0.00')
})

test('a gain shows its plus only where the sign is asked for, and nothing has none', () => {
  expect(formatMoney(412.36)).toBe('$412.36')
  expect(formatMoney(412.36, 'always')).toBe('+$412.36')
  expect(formatMoney(0, 'always')).toBe('$0.00')
})

test('a loss is read out as minus, since some screen readers skip the sign', () => {
  const html = renderToStaticMarkup(createElement(Money, { value: -3 }))
  expect(html).toContain('<span aria-hidden="true">−$3.00</span>')
  expect(html).toContain('minus $3.00')
})

test('a public amount cannot be hidden', () => {
  const html = renderToStaticMarkup(createElement(Money, { value: 3, isPublic: true }))
  expect(html).not.toMatch(/own/)
  expect(renderToStaticMarkup(createElement(Money, { value: 3 }))).toMatch(/own/)
})

test('the amounts in a text can be hidden, and nothing else of it', () => {
  const text = 'Your deposit D-12 of $1,200.50 (0.5 BTC) was credited, +$3 more, on 2 networks.'
  const html = renderToStaticMarkup(createElement(OwnAmounts, { text }))
  expect(
    html.match(/<span class="[^"]*own[^"]*"><span>[^<]*/g)?.map((own) => own.replace(/.*>/, '')),
  ).toEqual(['$1,200.50', '0.5', '+$3'])
  expect(html.replace(/<[^>]*>/g, '')).toBe(text)
})
