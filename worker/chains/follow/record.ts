import { type SQL, sql } from 'drizzle-orm'
import { getCoinOfNetwork } from '../../../src/contract/money/coins.ts'
import {
  CHAIN_NETWORKS,
  CONFIRMATIONS_NEEDED,
  type PaymentState,
  type ProvedNetwork,
} from '../../../src/contract/money/payments.ts'
import { ASSET_DECIMALS } from '../../ledger/custody.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import {
  type Database,
  type RowOf,
  readTogether,
  type Statement,
  selectRows,
  splitIntoJsonParts,
} from '../../lib/database.ts'
import { payments } from '../../lib/tables/payments.ts'

/** An own address, and whose it is. */
export interface Receiver {
  readonly address: string
  readonly investor: string
}

/** A payment as a chain shows it at this moment. */
export interface SeenPayment extends Receiver {
  readonly network: ProvedNetwork
  readonly reference: string
  /** In the network's smallest unit. */
  readonly quantity: bigint
  /** Its block; null while it waits for one. */
  readonly block: { readonly height: number; readonly hash: string } | null
  /** JSON; null while the payment is not proved. */
  readonly proof: ProofParts | null
}

/** A proof in two parts, so that a transaction with many payments is stored once. */
export interface ProofParts {
  /** Names the transaction in its block. */
  readonly shared: string
  /** JSON: the part that all payments of the transaction share. */
  readonly transaction: string
  /** The payment's own part: the number of the output or log. */
  readonly own: Readonly<Record<string, unknown>>
}

/** SQLite's integers hold no more. No coin has so many units. */
const MOST_UNITS = 2n ** 62n

/** How many of the network's smallest units are one unit of custody: 10⁹ wei of ether, one of the others. */
export function getSmallestPerUnit(network: ProvedNetwork): bigint {
  return 10n ** BigInt(CHAIN_NETWORKS[network].decimals - ASSET_DECIMALS[getCoinOfNetwork(network)])
}

/** The quantity in the coin's smallest unit of custody, rounded down. */
export function toCustodyUnits(network: ProvedNetwork, quantity: bigint): bigint {
  const units = quantity / getSmallestPerUnit(network)
  return units > MOST_UNITS ? MOST_UNITS : units
}

/**
 * The statements that record sightings: a new row, or an update of an earlier one. Final and credited payments stay unchanged: only a
 * reorganisation takes them out of their block, and it is recorded first. A thousand sightings take no more statements than one.
 */
export async function recordSightings(
  db: Database,
  sightings: readonly SeenPayment[],
  nowMs: number,
): Promise<Statement[]> {
  if (sightings.length === 0) return []
  const rows = await readTogether(
    db,
    ...splitIntoJsonParts(sightings.map(({ reference }) => reference)).map(readRecorded),
  )
  const known = new Map(rows.flat().map((row) => [buildPaymentKey(row), row]))
  const changes = new Map<string, Change>()
  for (const sighting of sightings) {
    const key = buildPaymentKey(sighting)
    if (!changes.has(key)) changes.set(key, compareSighting(known.get(key), sighting))
  }
  const splitChanges = (kind: Change['is'], isProved = false) =>
    splitIntoJsonParts(
      [...changes.values()].flatMap(({ is, row }) =>
        is === kind && (!isProved || row.proof !== null) ? [row] : [],
      ),
    )
  return [
    ...storeTransactions(sightings),
    ...splitChanges('begun').map((part) => insertPayments(part, nowMs)),
    ...splitChanges('begun', true).map(storeProofs),
    ...splitChanges('seen again').map((part) => restorePayments(part, nowMs)),
    // Before they follow, because the first proof corrects.
    ...splitChanges('followed', true).map(applyProvedFacts),
    ...splitChanges('followed').map((part) => updatePayments(part, nowMs)),
  ]
}

function readRecorded(references: string) {
  const { id, network, reference, state, blockHash, proof } = payments
  return selectRows({ id, network, reference, state, blockHash, proof })
    .from(payments)
    .where(sql`network IN (SELECT network FROM chain_networks)
      AND reference IN (SELECT value FROM json_each(${references}))`)
}

function buildPaymentKey({ network, reference }: Pick<SeenPayment, 'network' | 'reference'>): string {
  return `${network} ${reference}`
}

/** What becomes of a sighting. `row` is written as JSON, for statements about many rows. */
interface Change {
  readonly is: 'begun' | 'followed' | 'seen again' | 'unchanged'
  readonly row: Omit<SeenPayment, 'quantity' | 'block' | 'proof'> & {
    readonly id: string
    readonly quantity: string
    readonly units: string
    readonly height: number | null
    readonly hash: string | null
    readonly proof: string | null
    readonly needed: number
    /** Its state before, and after. */
    readonly before: PaymentState | null
    readonly state: PaymentState
  }
}

function compareSighting(known: RowOf<typeof readRecorded> | undefined, sighting: SeenPayment): Change {
  const { network, reference, address, investor, quantity, block } = sighting
  const proof =
    sighting.proof === null ? null : JSON.stringify({ shared: sighting.proof.shared, ...sighting.proof.own })
  const row = {
    network,
    reference,
    address,
    investor,
    quantity: quantity.toString(),
    units: toCustodyUnits(network, quantity).toString(),
    height: block?.height ?? null,
    hash: block?.hash ?? null,
    proof,
    needed: CONFIRMATIONS_NEEDED[CHAIN_NETWORKS[network].chain],
  }
  if (known === undefined)
    return {
      is: 'begun',
      row: { ...row, id: newId(), before: null, state: block === null ? 'seen' : 'confirming' },
    }
  const { id, state: before } = known
  if (block === null)
    return { is: before === 'gone' ? 'seen again' : 'unchanged', row: { ...row, id, before, state: 'seen' } }
  const isNew = known.blockHash !== block.hash || (proof !== null && known.proof !== proof)
  const state = FOLLOWS[before]
  return {
    is: isNew && state !== undefined ? 'followed' : 'unchanged',
    row: { ...row, id, before, state: state ?? before },
  }
}

/** The parts that transactions share, each once. */
function storeTransactions(sightings: readonly SeenPayment[]): Statement[] {
  const transactions = new Map(
    sightings.flatMap(({ proof }) => (proof === null ? [] : [[proof.shared, proof.transaction] as const])),
  )
  return splitIntoJsonParts([...transactions].map(([id, proof]) => ({ id, proof }))).map(
    (rows) => sql`
      INSERT INTO chain_transactions (id, proof) SELECT r.value ->> 'id', r.value ->> 'proof' FROM json_each(${rows}) r
      WHERE NOT EXISTS (SELECT 1 FROM chain_transactions WHERE id = r.value ->> 'id')`,
  )
}

function insertPayments(rows: string, nowMs: number): Statement {
  return sql`
    INSERT INTO payments (id, network, reference, address, investor, quantity, units, state, seen_at, height, block_hash,
                          confirmations, needed, checked_at)
    SELECT r.value ->> 'id', r.value ->> 'network', r.value ->> 'reference', r.value ->> 'address', r.value ->> 'investor',
           r.value ->> 'quantity', CAST(r.value ->> 'units' AS INTEGER), r.value ->> 'state', ${nowMs}, r.value ->> 'height',
           r.value ->> 'hash', r.value ->> 'hash' IS NOT NULL, r.value ->> 'needed', ${nowMs}
    FROM json_each(${rows}) r WHERE true ORDER BY r.key`
}

function storeProofs(rows: string): Statement {
  return sql`UPDATE payments SET proof = r.value ->> 'proof' FROM json_each(${rows}) r WHERE payments.id = r.value ->> 'id'`
}

function restorePayments(rows: string, nowMs: number): Statement {
  return sql`
    UPDATE payments SET state = 'seen', checked_at = ${nowMs} FROM json_each(${rows}) r
    WHERE payments.id = r.value ->> 'id' AND payments.state = 'gone'`
}

/**
 * Takes over the proved facts. Before the proof one server alone reported them, and it may have lied about the receiver and the
 * quantity. A trigger takes the quote that fits the proved payment.
 */
function applyProvedFacts(rows: string): Statement {
  return sql`
    UPDATE payments SET address = r.value ->> 'address', investor = r.value ->> 'investor', quantity = r.value ->> 'quantity',
      units = CAST(r.value ->> 'units' AS INTEGER), proof = r.value ->> 'proof', quote = NULL
    FROM json_each(${rows}) r
    WHERE payments.id = r.value ->> 'id' AND payments.proof IS NULL
      AND (payments.address <> r.value ->> 'address' OR payments.quantity <> r.value ->> 'quantity')`
}

function updatePayments(rows: string, nowMs: number): Statement {
  return sql`
    UPDATE payments SET state = r.value ->> 'state', height = r.value ->> 'height', block_hash = r.value ->> 'hash',
      proof = r.value ->> 'proof', confirmations = max(1, confirmations), checked_at = ${nowMs}
    FROM json_each(${rows}) r WHERE payments.id = r.value ->> 'id' AND payments.state = r.value ->> 'before'`
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
export function leaveBlocks(where: SQL, nowMs: number): Statement[] {
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
