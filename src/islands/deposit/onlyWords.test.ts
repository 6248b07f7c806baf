import { expect, it } from 'vitest'
import { onlyWords } from './onlyWords.ts'

it('a wallet says which coin it takes, on which network, and that all else is lost', () => {
  expect(onlyWords({ walletName: 'usdt', network: 'usdt-trc20' })).toBe(
    'Send only USDT on the TRON (TRC-20) network to this address. Any other coin, or USDT sent on another network, is lost.',
  )
  expect(onlyWords({ walletName: 'bitcoin', network: 'btc' })).toBe(
    'Send only Bitcoin on the Bitcoin network to this address. Any other coin, or Bitcoin sent on another network, is lost.',
  )
})
