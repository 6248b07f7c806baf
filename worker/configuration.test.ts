import { expect, test } from 'vitest'
import { missingConfiguration } from './configuration.ts'
import { SAMPLE_RECOVERY_RECIPIENT } from './dev/seed/sampleKeys.ts'
import type { Env } from './lib/env.ts'

const complete = {
  APP_ENV: 'production',
  PUBLIC_ORIGIN: 'https://evenkeel.example',
  VAULT_KEYS: `1:${btoa('a wrapping key of thirty-two by.')}`,
  KYC_RECOVERY_RECIPIENT: SAMPLE_RECOVERY_RECIPIENT,
  RESEND_API_KEY: 'a key',
  MAIL_FROM: 'no-reply@evenkeel.example',
  MARKET_BASE_URL: 'https://api.coingecko.com/api/v3',
}
const without = (name: string) => ({ ...complete, [name]: undefined }) as unknown as Env

test('an unknown provider of bars, or one without HTTPS, is refused by name', () => {
  const named = (CANDLES_PROVIDER: string, CANDLES_BASE_URL = '', APP_ENV = 'production') =>
    missingConfiguration(
      { ...complete, CANDLES_PROVIDER, CANDLES_BASE_URL, APP_ENV } as unknown as Env,
      'simulated',
    )
  for (const provider of ['', 'simulated', 'kraken', 'Coinbase']) expect(named(provider)).toEqual([])
  expect(named('kracken')).toEqual(['CANDLES_PROVIDER or CANDLES_BASE_URL'])
  expect(named('kraken', 'http://localhost:1')).toEqual(['CANDLES_PROVIDER or CANDLES_BASE_URL'])
  expect(named('kraken', 'http://localhost:1', 'development')).toEqual([])
  expect(named('kraken', 'https://prices.example/0')).toEqual([])
})

test('in live mode the Worker answers only 503 without recovery key, mail and market', () => {
  expect(missingConfiguration(complete as unknown as Env, 'live')).toEqual([])
  for (const [name, named] of [
    ['KYC_RECOVERY_RECIPIENT', 'KYC_RECOVERY_RECIPIENT'],
    ['RESEND_API_KEY', 'SEND_EMAIL or RESEND_API_KEY, with MAIL_FROM'],
    ['MAIL_FROM', 'SEND_EMAIL or RESEND_API_KEY, with MAIL_FROM'],
    ['MARKET_BASE_URL', 'MARKET_BASE_URL'],
  ] as const) {
    expect(missingConfiguration(without(name), 'live')).toEqual([named])
    expect(missingConfiguration(without(name), 'simulated')).toEqual([])
    expect(missingConfiguration({ ...without(name), APP_ENV: 'development' }, 'live')).toEqual([])
  }
})

test('a log destination without HTTPS and an invalid witness address are refused by name', () => {
  const named = (change: Partial<Env>, APP_ENV = 'production') =>
    missingConfiguration({ ...complete, APP_ENV, ...change } as unknown as Env, 'simulated')
  const LOG = ['LOG_DESTINATION or LOG_DESTINATION_AUTHORIZATION']
  for (const LOG_DESTINATION of ['', 'https://logs.example.org/in?header_X-Source=evenkeel'])
    expect(named({ LOG_DESTINATION })).toEqual([])
  for (const LOG_DESTINATION of ['http://logs.example.org', 'logs.example.org', 'https://x.org?header_a b=c'])
    expect(named({ LOG_DESTINATION })).toEqual(LOG)
  expect(named({ LOG_DESTINATION: 'http://localhost:1' }, 'development')).toEqual([])
  const at = { LOG_DESTINATION: 'https://logs.example.org', LOG_DESTINATION_AUTHORIZATION: 'two\nlines' }
  expect(named(at)).toEqual(LOG)
  for (const AUDIT_WITNESS_ADDRESS of ['', 'witness@example.net'])
    expect(named({ AUDIT_WITNESS_ADDRESS })).toEqual([])
  for (const AUDIT_WITNESS_ADDRESS of ['witness', 'a@b.net, c@d.net', 'Witness <a@b.net>'])
    expect(named({ AUDIT_WITNESS_ADDRESS })).toEqual(['AUDIT_WITNESS_ADDRESS'])
})
