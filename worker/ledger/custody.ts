import { type SQL, sql } from 'drizzle-orm'
import type { Statement } from '../lib/database.ts'
import { formatDecimal } from '../lib/decimalText.ts'
import { toIntegerSql } from './requestEvents.ts'

/** What custody is counted in, in each asset's smallest unit: 10⁻⁸ BTC, 10⁻⁹ ETH, 10⁻⁶ USDT and USDC, 10⁻² USD. */
export const ASSET_DECIMALS = { bitcoin: 8, ethereum: 9, usdt: 6, usdc: 6, usd: 2 } as const
export type Asset = keyof typeof ASSET_DECIMALS
export const ASSETS = Object.keys(ASSET_DECIMALS) as Asset[]

// A hundred million ETH: more is a mistake, and sums must stay within SQLite's integers.
const MAX_UNITS = 10n ** 17n

/** A decimal as integer units of the asset, cut below the smallest; null if it is zero or too large. */
export function parseUnits(asset: Asset, quantity: string): bigint | null {
  const [whole = '0', fraction = ''] = quantity.split('.')
  const decimals = ASSET_DECIMALS[asset]
  const units = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
  return units > 0n && units <= MAX_UNITS ? units : null
}

/** Integer units as a decimal of the asset, without needless zeros. */
export function formatQuantity(asset: Asset, units: bigint): string {
  return formatDecimal(units, ASSET_DECIMALS[asset])
}

/** How much of an asset an amount buys at a rate (USD for one coin), as a decimal cut at the smallest unit. */
export function computeQuantity(asset: Asset, amountCents: number, rate: string): string {
  const [whole = '0', fraction = ''] = rate.split('.')
  const scale = 10n ** BigInt(fraction.length)
  const perCoin = BigInt(whole + fraction)
  if (perCoin === 0n) return '0'
  return formatQuantity(
    asset,
    (BigInt(amountCents) * scale * 10n ** BigInt(ASSET_DECIMALS[asset])) / (perCoin * 100n),
  )
}

/** What wallets show, and at most what a person is asked to type. */
const QUOTED_DECIMALS = 8

/**
 * How much of a coin to pay for an amount in cents at a rate (USD for one coin), as a decimal of at most eight places. Rounded up, so
 * that who pays it is credited at least the amount.
 */
export function computeQuotedQuantity(asset: Asset, amountCents: number, rate: string): string {
  const [whole = '0', fraction = ''] = rate.split('.')
  const decimals = Math.min(ASSET_DECIMALS[asset], QUOTED_DECIMALS)
  const perCoin = BigInt(whole + fraction) * 100n
  if (perCoin === 0n) return '0'
  const paid = BigInt(amountCents) * 10n ** BigInt(fraction.length + decimals)
  return formatDecimal((paid + perCoin - 1n) / perCoin, decimals)
}

/** What units of an asset are worth at a rate (USD for one coin), in cents, cut. */
export function computeCents(asset: Asset, units: bigint, rate: string): bigint {
  const [whole = '0', fraction = ''] = rate.split('.')
  const scale = 10n ** BigInt(fraction.length + ASSET_DECIMALS[asset])
  return (units * BigInt(whole + fraction) * 100n) / scale
}

/** SQL of an asset's name in a sentence: "Bitcoin", "USDT". */
export function selectAssetName(asset: SQL): SQL<string> {
  return sql<string>`CASE ${asset} WHEN 'bitcoin' THEN 'Bitcoin' WHEN 'ethereum' THEN 'Ethereum' ELSE upper(${asset}) END`
}

interface Movement {
  readonly request: string
  readonly asset: Asset
  readonly units: bigint
  readonly nowMs: number
}

/** Records the quantity that a credit brought in. */
export function takeIntoCustody({ request, asset, units, nowMs }: Movement): Statement {
  return insertEntry('in', request, asset, units, nowMs)
}

/** Records the quantity that a completed withdrawal took out. */
export function releaseFromCustody({ request, asset, units, nowMs }: Movement): Statement {
  return insertEntry('out', request, asset, -units, nowMs)
}

/** Records the network fee of a mined payout, or of a withdrawal paid by hand, in satoshi or gwei. It is the company's cost. */
export function recordNetworkFee(
  ref: string,
  chain: 'bitcoin' | 'ethereum',
  units: bigint,
  nowMs: number,
): Statement {
  return insertEntry('network_fee', ref, chain, -units, nowMs)
}

/** Records what closed payments and receipts brought that were not credited and stay in the wallet. `closed` is SQL of their ids. */
export function keepInCustody(closed: SQL, asset: Asset, nowMs: number): Statement {
  return sql`
    INSERT INTO custody_entries (id, asset, quantity, code, ref, at)
    SELECT id || ':kept', asset, units, 'kept', id, ${nowMs} FROM closed_receipts
    WHERE id IN (${closed}) AND asset = ${asset} AND units > 0 ORDER BY id`
}

/** Mirrors the entry of a request that is reversed. */
export function reverseCustody(request: string, code: 'in' | 'out', nowMs: number): Statement {
  return sql`
    INSERT INTO custody_entries (id, asset, quantity, code, ref, at)
    SELECT ${`${request}:reverse_${code}`}, asset, -quantity, ${`reverse_${code}`}, ref, ${nowMs}
    FROM custody_entries WHERE ref = ${request} AND code = ${code}`
}

function insertEntry(code: string, ref: string, asset: Asset, quantity: bigint, nowMs: number): Statement {
  return sql`
    INSERT INTO custody_entries (id, asset, quantity, code, ref, at)
    VALUES (${`${ref}:${code}`}, ${asset}, ${toIntegerSql(quantity)}, ${code}, ${ref}, ${nowMs})`
}
