import { expect, test } from 'vitest'
import { SAMPLE_RECOVERY_RECIPIENT } from '../dev/sampleKeys.ts'
import type { Env } from '../env.ts'
import { missingConfiguration } from './configuration.ts'

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

test('a provider of bars that there is none of, or one that would be asked without encryption, is refused by name', () => {
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

test('where real money moves the Worker answers nothing without recovery key, mail and market', () => {
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
