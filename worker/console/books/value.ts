import { ASSET_DECIMALS, type Asset } from '../../ledger/custody.ts'

/** What so many of an asset's smallest units are worth in cents, at a rate in USD for one coin; cut toward zero. */
export function valueCents(asset: Asset, units: bigint, rate: string): bigint {
  const [whole = '0', fraction = ''] = rate.split('.')
  const scale = 10n ** BigInt(fraction.length)
  return (units * BigInt(whole + fraction) * 100n) / (scale * 10n ** BigInt(ASSET_DECIMALS[asset]))
}
