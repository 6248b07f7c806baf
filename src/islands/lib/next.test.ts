import { expect, test } from 'vitest'
import { resolvePathAfterSignIn, signInPath } from './next.ts'

const origin = 'https://evenkeel.example'

test('signing in leads home: investors to the overview, operators to their console', () => {
  expect(resolvePathAfterSignIn('investor', null, origin)).toBe('/dashboard/overview')
  expect(resolvePathAfterSignIn('operator', null, origin)).toBe('/operator')
})

test('signing in leads back to the page that asked for it', () => {
  expect(resolvePathAfterSignIn('investor', '/dashboard/transaction-history?kind=deposit#top', origin)).toBe(
    '/dashboard/transaction-history?kind=deposit#top',
  )
  expect(resolvePathAfterSignIn('investor', '/liabilities#check', origin)).toBe('/liabilities#check')
  expect(resolvePathAfterSignIn('operator', '/operator/kyc', origin)).toBe('/operator/kyc')
  expect(resolvePathAfterSignIn('operator', '/dashboard/profile#security', origin)).toBe(
    '/dashboard/profile#security',
  )
})

test('nobody is led to what is not theirs', () => {
  expect(resolvePathAfterSignIn('investor', '/operator/kyc', origin)).toBe('/dashboard/overview')
  expect(resolvePathAfterSignIn('operator', '/dashboard/kyc', origin)).toBe('/operator')
  expect(resolvePathAfterSignIn('investor', '/sign-in', origin)).toBe('/dashboard/overview')
})

test.each([
  'https://elsewhere.example/dashboard/overview',
  '//elsewhere.example/dashboard/x',
  '/\\elsewhere.example/dashboard/x',
  '/\t/elsewhere.example/dashboard/x',
  'javascript:alert(1)//dashboard/',
  'dashboard/overview',
  '/dashboard/..//elsewhere.example/',
  '/dashboard/../..//elsewhere.example/dashboard/',
  '',
])('signing in never leads away by way of %j', (next) => {
  expect(resolvePathAfterSignIn('investor', next, origin)).toBe('/dashboard/overview')
})

test('the way to sign in remembers a page unless signing in leads there anyway', () => {
  expect(signInPath('/dashboard/kyc')).toBe('/sign-in?next=%2Fdashboard%2Fkyc')
  expect(signInPath('/dashboard/overview')).toBe('/sign-in')
  expect(signInPath('/operator')).toBe('/sign-in')
})
