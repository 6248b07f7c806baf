import { expect, test, vi } from 'vitest'
import { type Control, createFormControls } from './formControls.ts'

test('what was typed before the script had loaded counts', () => {
  const controls = createFormControls()
  controls.attach('email', text('ana@example.com'))
  expect(controls.values()).toEqual({ email: 'ana@example.com' })
})

test('a first value stands in its control', () => {
  const controls = createFormControls({ amount: '100' })
  const amount = text('')
  controls.attach('amount', amount)
  expect(amount.value).toBe('100')
})

test('boxes are ticked or not, radios hold the one that is chosen', () => {
  const controls = createFormControls()
  controls.attach('terms', box('checkbox', 'on', true))
  controls.attach('coin', box('radio', 'bitcoin', false))
  expect(controls.values()).toEqual({ terms: true, coin: undefined })
  controls.attach('coin', box('radio', 'usdt', true))
  expect(controls.get('coin')).toBe('usdt')
})

test('a value that is set moves the choice among radios', () => {
  const controls = createFormControls()
  const [bitcoin, usdt] = [box('radio', 'bitcoin', true), box('radio', 'usdt', false)]
  controls.attach('coin', bitcoin)
  controls.attach('coin', usdt)
  controls.set('coin', 'usdt')
  expect([bitcoin.checked, usdt.checked, controls.get('coin')]).toEqual([false, true, 'usdt'])
})

test('a field that is no longer shown keeps its value, and shows it again', () => {
  const controls = createFormControls()
  const [first, second] = [text('12'), text('')]
  controls.attach('amount', first)
  controls.detach('amount', first)
  expect(controls.get('amount')).toBe('12')
  controls.attach('amount', second)
  expect(second.value).toBe('12')
})

test('a chosen radio is remembered when its group leaves, in whatever order', () => {
  const controls = createFormControls()
  const radios = [box('radio', 'bitcoin', false), box('radio', 'usdt', true), box('radio', 'ethereum', false)]
  for (const radio of radios) controls.attach('coin', radio)
  for (const radio of radios) controls.detach('coin', radio)
  expect(controls.get('coin')).toBe('usdt')
})

test('a reset brings back the first values and blanks the rest', () => {
  const controls = createFormControls({ amount: '100' })
  const [amount, note, terms] = [text(''), text('hello'), box('checkbox', 'on', true)]
  const coin: Control = { ...text('usdt'), type: 'select-one', selectedIndex: 2 }
  controls.attach('amount', amount)
  controls.attach('note', note)
  controls.attach('terms', terms)
  controls.attach('coin', coin)
  controls.set('amount', '250')
  controls.reset()
  expect([amount.value, note.value, terms.checked, coin.selectedIndex]).toEqual(['100', '', false, 0])
})

test('a form knows the fields that it has shown', () => {
  const controls = createFormControls({ hidden: 'x' })
  controls.attach('email', text(''))
  expect([controls.has('email'), controls.has('hidden'), controls.has('token')]).toEqual([true, false, false])
})

test('a choice stays when its radios leave the page one by one', () => {
  const controls = createFormControls()
  const radios = [box('radio', 'tron', true), box('radio', 'bsc', false)]
  for (const radio of radios) controls.attach('network', radio)
  for (const radio of radios) controls.detach('network', radio)
  expect(controls.get('network')).toBe('tron')
})

test('a value set for radios that are yet to come holds over those that stand there', () => {
  const controls = createFormControls()
  const radios = [box('radio', 'tron', true), box('radio', 'bsc', false)]
  for (const radio of radios) controls.attach('network', radio)
  controls.set('network', 'btc')
  expect(controls.get('network')).toBe('btc')
  for (const radio of radios) controls.detach('network', radio)
  expect(controls.get('network')).toBe('btc')
})

test('the focus goes to a field’s first control', () => {
  const controls = createFormControls()
  const code = text('')
  controls.attach('code', code)
  controls.focus('code')
  controls.focus('nothing')
  expect(code.focus).toHaveBeenCalledTimes(1)
})

function text(value: string): Control {
  return { type: 'text', value, focus: vi.fn() }
}

function box(type: 'checkbox' | 'radio', value: string, checked: boolean): Control {
  return { type, value, checked, focus: vi.fn() }
}
