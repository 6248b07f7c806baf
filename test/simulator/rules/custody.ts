import { priceOf } from '../lane/prices.ts'
import { none, noneSince, type Rule, type Rules } from './rule.ts'

/** Decimals of the smallest unit of each asset, as custody counts it. */
const DECIMALS: Readonly<Record<string, number>> = { bitcoin: 8, ethereum: 9, usdt: 6, usdc: 6, usd: 2 }
const MARKET_NAMES: Readonly<Record<string, string>> = {
  bitcoin: 'bitcoin',
  ethereum: 'ethereum',
  usdt: 'tether',
  usdc: 'usd-coin',
}

export const CUSTODY_RULES: Rules = {
  /** What custody holds is the sum of its entries. */
  custodyIsItsEntries: none(`
    SELECT b.asset, b.balance, coalesce(sum(e.quantity), 0) AS moved FROM custody_balances b
    LEFT JOIN custody_entries e ON e.asset = b.asset GROUP BY b.asset HAVING b.balance <> coalesce(sum(e.quantity), 0)`),

  /** The places of an asset add up to its custody, apart from the transfers to exchanges. */
  custodyIsItsPlaces: none(`
    SELECT b.asset, b.balance FROM custody_balances b WHERE b.balance <> (
      SELECT coalesce(sum(e.quantity), 0) FROM place_entries e JOIN custody_places l ON l.id = e.place
      WHERE l.asset = b.asset AND e.code <> 'exchange')`),

  /** Every credit brought coins into custody, and a reversal took them out again. */
  everyCreditBroughtCustody: noneSince(
    'transfers',
    `SELECT t.ref, t.code FROM transfers t
    WHERE t.seq > ?1 AND t.code IN ('credit', 'reverse_credit', 'reverse_payout') AND NOT EXISTS (
      SELECT 1 FROM custody_entries e WHERE e.ref = t.ref
        AND e.code = CASE t.code WHEN 'credit' THEN 'in' WHEN 'reverse_credit' THEN 'reverse_in' ELSE 'reverse_out' END)
    -- A payout of a cent may be less than the smallest unit of a coin.
      AND NOT (t.code = 'reverse_payout' AND NOT EXISTS (SELECT 1 FROM custody_entries e WHERE e.ref = t.ref))`,
  ),

  custodyIsWhatArrived,
  custodyGivesWhatWasPaid,
  ratesAreTheMarket,
}

interface Entry {
  readonly ref: string
  readonly asset: string
  readonly quantity: string
}

/** Custody took in exactly the quantity that arrived at the company's address. */
async function custodyIsWhatArrived({ world, model, after }: Parameters<Rule>[0]): Promise<string | null> {
  const entries = await world.database.rows<Entry>(
    `SELECT ref, asset, CAST(quantity AS TEXT) AS quantity FROM custody_entries WHERE seq > ?1 AND code = 'in'`,
    after.custody_entries,
  )
  for (const { ref, asset, quantity } of entries) {
    const payment = model.payments.get(ref)
    // A corrupt operator credits what never arrived, together with another one.
    if (payment === undefined) continue
    const arrived = unitsOf(payment.quantity, DECIMALS[asset] ?? 0)
    if (arrived !== BigInt(quantity)) return `${ref}: ${quantity} of ${asset}, and ${arrived} arrived`
  }
  return null
}

interface Payout {
  readonly id: string
  readonly cents: number
  readonly coin: string | null
  readonly rate: string | null
  /** What the operator said that was sent. */
  readonly units: string | null
  readonly asset: string | null
  readonly quantity: string | null
}

/** A payout takes from custody what was sent or, if nobody said how much, what its amount buys at its rate, rounded down. */
async function custodyGivesWhatWasPaid({ world, model, after }: Parameters<Rule>[0]): Promise<string | null> {
  const payouts = await world.database.rows<Payout>(
    `SELECT r.id, t.amount AS cents, d.coin, d.rate, CAST(c.units AS TEXT) AS units, e.asset, CAST(-e.quantity AS TEXT) AS quantity
     FROM transfers t JOIN requests r ON r.id = t.ref JOIN withdrawal_details d ON d.request = r.id
       JOIN request_events c ON c.request = r.id AND c.status = 'completed'
       LEFT JOIN custody_entries e ON e.ref = r.id AND e.code = 'out'
     WHERE t.seq > ?1 AND t.code = 'complete'`,
    after.transfers,
  )
  for (const { id, cents, coin, rate, units, asset, quantity } of payouts) {
    const decimals = DECIMALS[coin ?? 'usd'] ?? 0
    const sent = model.payouts.get(id)?.quantity ?? null
    if (units !== null && sent !== null && unitsOf(sent, decimals) !== BigInt(units))
      return `${id}: ${sent} of ${coin} was sent, and the books say ${units}`
    const atRate = coin === null ? BigInt(cents) : unitsAt(cents, rate ?? '0', decimals)
    const owed = units === null ? atRate : BigInt(units)
    const given = BigInt(quantity ?? 0)
    if (given !== owed || (given > 0n && asset !== (coin ?? 'usd')))
      return `${id}: ${cents} cents took ${given} of ${asset}, and should take ${owed} of ${coin ?? 'usd'}`
  }
  return null
}

interface Rated {
  readonly request: string
  readonly at: number
  /** When a deposit was announced whose announcement has a price. Null: none has. */
  readonly announcedAt: number | null
  readonly coin: string
  readonly rate: string
  readonly status: string
}

/** As far as prices move within an hour, and within a day. */
const HOUR_MOVE = 0.1
const DAY_MOVE = 0.4

/** Credits use the lower of the market prices of the announcement and of the last hour, payouts that of the last day. */
async function ratesAreTheMarket({ world, afterMs }: Parameters<Rule>[0]): Promise<string | null> {
  const rated = await world.database.rows<Rated>(
    `SELECT e.request, e.at, e.status, coalesce(d.coin, w.coin) AS coin, coalesce(d.rate, w.rate) AS rate,
       iif(d.asked_rate IS NULL OR e.actor = 'system', NULL, r.created_at) AS announcedAt
     FROM request_events e JOIN requests r ON r.id = e.request
       LEFT JOIN deposit_details d ON d.request = e.request LEFT JOIN withdrawal_details w ON w.request = e.request
     WHERE e.at > ?1 AND coalesce(d.rate, w.rate) IS NOT NULL
       AND e.status = iif(d.request IS NULL, 'completed', 'approved')`,
    afterMs,
  )
  for (const { request, at, announcedAt, coin, rate, status } of rated) {
    const name = MARKET_NAMES[coin] ?? coin
    const market = Math.min(priceOf(name, at), priceOf(name, announcedAt ?? at))
    const move = Math.abs(Number(rate) / market - 1)
    if (!(move <= (status === 'approved' ? HOUR_MOVE : DAY_MOVE)))
      return `${request}: ${rate} USD for one ${coin}, and the market said ${market}`
  }
  return null
}

/** A decimal in smallest units, cut below them. */
function unitsOf(decimal: string, decimals: number): bigint {
  const [whole = '0', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.padEnd(decimals, '0').slice(0, decimals))
}

/** Smallest units that an amount buys at a rate, rounded down. */
function unitsAt(cents: number, rate: string, decimals: number): bigint {
  const [whole = '0', fraction = ''] = rate.split('.')
  const perCoin = BigInt(whole + fraction)
  if (perCoin === 0n) return 0n
  return (BigInt(cents) * 10n ** BigInt(decimals + fraction.length)) / (perCoin * 100n)
}
