import { expect, test } from 'vitest'
import { listMissingConfiguration } from './configuration.ts'
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
    listMissingConfiguration(
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
  expect(listMissingConfiguration(complete as unknown as Env, 'live')).toEqual([])
  for (const [name, named] of [
    ['KYC_RECOVERY_RECIPIENT', 'KYC_RECOVERY_RECIPIENT'],
    ['RESEND_API_KEY', 'SEND_EMAIL or RESEND_API_KEY, with MAIL_FROM'],
    ['MAIL_FROM', 'SEND_EMAIL or RESEND_API_KEY, with MAIL_FROM'],
    ['MARKET_BASE_URL', 'MARKET_BASE_URL'],
  ] as const) {
    expect(listMissingConfiguration(without(name), 'live')).toEqual([named])
    expect(listMissingConfiguration(without(name), 'simulated')).toEqual([])
    expect(listMissingConfiguration({ ...without(name), APP_ENV: 'development' }, 'live')).toEqual([])
  }
})

test('an invalid witness address is refused by name', () => {
  const named = (change: Partial<Env>) =>
    listMissingConfiguration({ ...complete, ...change } as unknown as Env, 'simulated')
  for (const AUDIT_WITNESS_ADDRESS of ['', 'witness@example.net'])
    expect(named({ AUDIT_WITNESS_ADDRESS })).toEqual([])
  for (const AUDIT_WITNESS_ADDRESS of ['witness', 'a@b.net, c@d.net', 'Witness <a@b.net>'])
    expect(named({ AUDIT_WITNESS_ADDRESS })).toEqual(['AUDIT_WITNESS_ADDRESS'])
})

test('servers of a chain are two different ones with HTTPS, and only live mode or development has them', () => {
  const named = (
    settings: Record<string, string>,
    mode: 'live' | 'simulated' = 'live',
    APP_ENV = 'production',
  ) => listMissingConfiguration({ ...complete, ...settings, APP_ENV } as unknown as Env, mode)
  const bitcoin = ['BITCOIN_SERVERS, BITCOIN_NETWORK or BITCOIN_CHECKPOINT']
  const ethereum = ['ETHEREUM_SERVERS, ETHEREUM_CHAIN_ID or ETHEREUM_TOKENS']
  const two = 'https://one.example/api https://two.example/api/'
  const hash = '0'.repeat(64)
  expect(named({ BITCOIN_SERVERS: '', ETHEREUM_SERVERS: '' })).toEqual([])
  expect(named({ BITCOIN_SERVERS: two, BITCOIN_CHECKPOINT: `880992:${hash}` })).toEqual([])
  expect(named({ ETHEREUM_SERVERS: two, ETHEREUM_CHAIN_ID: '1' })).toEqual([])
  for (const servers of [
    'https://one.example',
    'https://one.example https://one.example/',
    'https://one.example/key https://one.example/other-key',
    'https://one.example https://ONE.example:8443',
    'https://one.example https://two.example https://three.example',
    'http://one.example https://two.example',
    'https://one.example two',
  ]) {
    expect([servers, named({ BITCOIN_SERVERS: servers })]).toEqual([servers, bitcoin])
    expect([servers, named({ ETHEREUM_SERVERS: servers })]).toEqual([servers, ethereum])
  }
  for (const checkpoint of ['880992', `880993:${hash}`, `880992:${hash}0`])
    expect(named({ BITCOIN_SERVERS: two, BITCOIN_CHECKPOINT: checkpoint })).toEqual(bitcoin)
  const [one, other] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`]
  for (const tokens of ['usdt', 'usdt:0x1', `dai:${one}`, `usdt:${one} usdc:${one}`])
    expect(named({ ETHEREUM_SERVERS: two, ETHEREUM_TOKENS: tokens })).toEqual(ethereum)
  // The contracts of the main network are no tokens of another chain.
  const sepolia = { ETHEREUM_SERVERS: two, ETHEREUM_CHAIN_ID: '11155111' }
  for (const tokens of ['', `usdt:${one}`])
    expect(named({ ...sepolia, ETHEREUM_TOKENS: tokens })).toEqual(ethereum)
  expect(named({ ...sepolia, ETHEREUM_TOKENS: `usdt:${one}, usdc:${other}` })).toEqual([])
  expect(named({ ETHEREUM_SERVERS: two, ETHEREUM_CHAIN_ID: 'main' })).toEqual(ethereum)
  // Coins of a test network are worth nothing, and a simulated platform must lead nobody to pay.
  expect(named({ BITCOIN_SERVERS: two, BITCOIN_NETWORK: 'regtest' })).toEqual(bitcoin)
  expect(named({ BITCOIN_SERVERS: two }, 'simulated')).toEqual(bitcoin)
  const local = { BITCOIN_SERVERS: 'http://127.0.0.1:1 http://127.0.0.1:2', BITCOIN_NETWORK: 'regtest' }
  expect(named(local, 'simulated', 'development')).toEqual([])
})
