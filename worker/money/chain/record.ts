import { sql } from 'drizzle-orm'
import { coinOfNetwork } from '../../../src/contract/money/coins.ts'
import {
  CHAIN_NETWORKS,
  CONFIRMATIONS_NEEDED,
  type PaymentState,
  type ProvedNetwork,
} from '../../../src/contract/money/payments.ts'
import { ASSET_DECIMALS } from '../../ledger/custody.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { type Database, reading, readTogether, type Statement } from '../../lib/database.ts'
import { exact } from '../requests/events.ts'

/** An own address, and whose it is. */
export interface Receiver {
  readonly address: string
  readonly investor: string
}

/** A payment as a chain shows it at this moment. */
export interface Sighting extends Receiver {
  readonly network: ProvedNetwork
  readonly reference: string
  /** In the network's smallest unit. */
  readonly quantity: bigint
  /** Its block; null while it waits for one. */
  readonly block: { readonly height: number; readonly hash: string } | null
  /** JSON; null while nothing proves it. */
  readonly proof: string | null
}

interface Recorded {
  readonly id: string
  readonly network: ProvedNetwork
  readonly reference: string
  readonly state: PaymentState
  readonly block_hash: string | null
  readonly proof: string | null
}

/** SQLite's integers hold no more. No coin has so many units. */
const MOST_UNITS = 2n ** 62n

/** How many of the network's smallest units are one unit of custody: 10⁹ wei of ether, one of the others. */
export function smallestPerUnit(network: ProvedNetwork): bigint {
  return 10n ** BigInt(CHAIN_NETWORKS[network].decimals - ASSET_DECIMALS[coinOfNetwork(network)])
}

/** The quantity in the coin's smallest unit of custody, rounded down. */
export function unitsOfCustody(network: ProvedNetwork, quantity: bigint): bigint {
  const units = quantity / smallestPerUnit(network)
  return units > MOST_UNITS ? MOST_UNITS : units
}

/**
 * The statements that record sightings: a new row, or how an earlier one goes on. Final and credited payments keep what they have: their
 * block is left only by a reorganisation, which is recorded first.
 */
export async function recordSightings(
  db: Database,
  sightings: readonly Sighting[],
  nowMs: number,
): Promise<Statement[]> {
  if (sightings.length === 0) return []
  const references = JSON.stringify(sightings.map(({ reference }) => reference))
  const [known] = await readTogether(
    db,
    reading<Recorded>(sql`
      SELECT id, network, reference, state, block_hash, proof FROM payments
      WHERE network IN (SELECT network FROM chain_networks) AND reference IN (SELECT value FROM json_each(${references}))`),
  )
  const done = new Set<string>()
  return sightings.flatMap((sighting) => {
    const key = `${sighting.network} ${sighting.reference}`
    if (done.has(key)) return []
    done.add(key)
    const before = known.find(
      ({ network, reference }) => network === sighting.network && reference === sighting.reference,
    )
    return before === undefined ? begin(sighting, nowMs) : goOn(before, sighting, nowMs)
  })
}

function begin(sighting: Sighting, nowMs: number): Statement[] {
  const { network, reference, address, investor, quantity, block } = sighting
  const id = newId()
  const needed = CONFIRMATIONS_NEEDED[CHAIN_NETWORKS[network].chain]
  const inserted = sql`
    INSERT INTO payments (id, network, reference, address, investor, quantity, units, state, seen_at, height, block_hash,
                          confirmations, needed, checked_at)
    VALUES (${id}, ${network}, ${reference}, ${address}, ${investor}, ${quantity.toString()},
            ${exact(unitsOfCustody(network, quantity))}, ${block === null ? 'seen' : 'confirming'}, ${nowMs},
            ${block?.height ?? null}, ${block?.hash ?? null}, ${block === null ? 0 : 1}, ${needed}, ${nowMs})`
  return sighting.proof === null
    ? [inserted]
    : [inserted, sql`UPDATE payments SET proof = ${sighting.proof} WHERE id = ${id}`]
}

function goOn({ id, state, ...before }: Recorded, sighting: Sighting, nowMs: number): Statement[] {
  const { block, proof } = sighting
  if (block === null)
    return state === 'gone'
      ? [sql`UPDATE payments SET state = 'seen', checked_at = ${nowMs} WHERE id = ${id} AND state = 'gone'`]
      : []
  const isNew = before.block_hash !== block.hash || (proof !== null && before.proof !== proof)
  if (!isNew || !(state in FOLLOWS)) return []
  return [
    ...(proof !== null && before.proof === null ? [correct(id, sighting)] : []),
    sql`
      UPDATE payments SET state = ${FOLLOWS[state]}, height = ${block.height}, block_hash = ${block.hash},
        proof = ${proof}, confirmations = max(1, confirmations), checked_at = ${nowMs}
      WHERE id = ${id} AND state = ${state}`,
  ]
}

/**
 * Takes over what is proved. One server said the rest before, and it may have lied about the receiver and the quantity. A trigger takes
 * the quote that fits the proved payment.
 */
function correct(id: string, { network, address, investor, quantity, proof }: Sighting): Statement {
  return sql`
    UPDATE payments SET address = ${address}, investor = ${investor}, quantity = ${quantity.toString()},
      units = ${exact(unitsOfCustody(network, quantity))}, proof = ${proof}, quote = NULL
    WHERE id = ${id} AND proof IS NULL AND (address <> ${address} OR quantity <> ${quantity.toString()})`
}

/** The state of a payment that is in a block now. A credit that was undone comes back only once its payment is final again. */
const FOLLOWS: Readonly<Partial<Record<PaymentState, PaymentState>>> = {
  seen: 'confirming',
  gone: 'confirming',
  confirming: 'confirming',
  undone: 'undone',
}

/**
 * The statements after which payments of these blocks are no longer on their chain: a credited one is undone, and the others wait to be
 * seen again. `where` selects rows of `payments`.
 */
export function leaveBlocks(where: ReturnType<typeof sql>, nowMs: number): Statement[] {
  return [
    sql`UPDATE payments SET state = 'undone', undone_at = ${nowMs} WHERE state = 'credited' AND ${where}`,
    // A final payment becomes confirming first: its price and proof end with its block.
    sql`
      UPDATE payments SET state = 'confirming', amount = NULL, rate = NULL, rule = NULL, final_at = NULL
      WHERE state IN ('final', 'queued') AND ${where}`,
    sql`
      UPDATE payments SET state = 'seen', height = NULL, block_hash = NULL, proof = NULL, confirmations = 0, reason = NULL,
        checked_at = 0
      WHERE state = 'confirming' AND ${where}`,
  ]
}
