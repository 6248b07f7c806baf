import { eq, type SQL, sql } from 'drizzle-orm'
import type { BlockTransaction } from '../../../src/chain/bitcoin/block.ts'
import type { Coin } from '../../../src/chain/bitcoin/psbt.ts'
import {
  type Database,
  type RowOf,
  readTogether,
  type Statement,
  selectRows,
  splitIntoJsonParts,
} from '../../lib/database.ts'
import { payouts, payoutTransactions } from '../../lib/tables/payouts.ts'

/** The most coins that one payout chooses from: the largest ones. */
const MOST_COINS = 300
/**
 * Characters of the transaction that created a coin. Some hardware signs nothing without it, and an exchange that pays many people at once
 * sends large ones. That of all coins together keeps the payout small enough to store. The largest coins, which are spent first, count first.
 */
const MOST_RAW = 400_000
const MOST_RAW_TOGETHER = 800_000
/** Characters of such a transaction with its Merkle path. */
const MOST_PROOF = MOST_RAW + 4_000

/** SQL: whether a payout holds this coin (`txid:n`): one that is open, or whose mined transaction spent it. */
function isReserved(coin: SQL): SQL {
  return sql`EXISTS (
    SELECT 1 FROM payout_coins c JOIN payouts o ON o.id = c.payout
    WHERE c.coin = ${coin} AND o.state NOT IN ('cancelled', 'failed', 'replaced') AND (o.state <> 'confirmed' OR c.version = o.version))`
}

/** SQL of the wallet's known coins: final payments to its addresses, and the change of its payouts, also of a cancelled one that was mined. */
function selectKnownCoins(wallet: SQL): SQL {
  return sql`
    SELECT p.reference AS coin, p.quantity AS value, 'receive' AS branch, a.position AS position,
           coalesce(json_extract(p.proof, '$.transaction'), (
             SELECT json_extract(proof, '$.transaction') FROM chain_transactions
             WHERE id = json_extract(p.proof, '$.shared') AND length(proof) <= ${MOST_PROOF})) AS raw
    FROM payments p JOIN deposit_addresses a ON a.address = p.address
    WHERE a.wallet = ${wallet} AND p.network = 'btc' AND p.state IN ('final', 'credited')
    UNION ALL
    SELECT t.txid || ':' || (json_array_length(t.details, '$.outputs') - 1), json_extract(t.details, '$.outputs[#-1].value'),
           'change', json_extract(t.details, '$.changeIndex'), t.signed
    FROM payouts o JOIN payout_transactions t ON t.payout = o.id AND t.version = o.version
    WHERE o.wallet = ${wallet} AND o.chain = 'bitcoin' AND o.state = 'confirmed'
      AND json_extract(t.details, '$.outputs[#-1].kind') = 'change'
    UNION ALL
    SELECT m.coin, m.value, 'change', json_extract(m.details, '$.changeIndex'), NULL
    FROM (${selectMinedChange()}) m WHERE m.wallet = ${wallet}`
}

/** SQL of the change of cancelled payouts that were sent all the same, and mined. */
export function selectMinedChange(height = sql`9e18`): SQL {
  return sql`
    SELECT s.txid || ':' || (json_array_length(t.details, '$.outputs') - 1) AS coin,
           json_extract(t.details, '$.outputs[#-1].value') AS value, t.details, o.wallet
    FROM payouts o JOIN payout_transactions t ON t.payout = o.id JOIN payout_spends s ON s.payout = o.id AND s.version = t.version
    WHERE o.state = 'cancelled' AND o.problem = 'mined' AND s.is_own = 1 AND s.height <= ${height}
      AND json_extract(t.details, '$.outputs[#-1].kind') = 'change' GROUP BY o.id`
}

/** The wallet's coins that no payout holds, largest first, and the next unused index of its change addresses. */
export async function readCoins(
  db: Database,
  wallet: string,
): Promise<{ readonly coins: readonly Coin[]; readonly changeIndex: number }> {
  const { details } = payoutTransactions
  const [rows, [next]] = await readTogether(
    db,
    readFreeCoins(wallet),
    selectRows({ index: sql<number>`coalesce(max(json_extract(${details}, '$.changeIndex')) + 1, 0)` })
      .from(payouts)
      .innerJoin(payoutTransactions, eq(payoutTransactions.payout, payouts.id))
      .where(eq(payouts.wallet, wallet)),
  )
  return { coins: rows.map(toCoin), changeIndex: next?.index ?? 0 }
}

function readFreeCoins(wallet: string) {
  return selectRows({
    /** `txid:n` */
    coin: sql<string>`k.coin`,
    value: sql<string>`k.value`,
    branch: sql<Coin['branch']>`k.branch`,
    position: sql<number>`k.position`,
    raw: sql<
      string | null
    >`CASE WHEN length(k.raw) <= ${MOST_RAW} AND sum(iif(length(k.raw) <= ${MOST_RAW}, length(k.raw), 0))
      OVER (ORDER BY CAST(k.value AS INTEGER) DESC, k.coin) <= ${MOST_RAW_TOGETHER} THEN k.raw END`,
  })
    .from(sql`(${selectKnownCoins(sql`${wallet}`)}) k`)
    .where(sql`NOT ${isReserved(sql`k.coin`)} AND NOT ${isSpentInBlock(sql`k.coin`)}`)
    .orderBy(sql`CAST(k.value AS INTEGER) DESC, k.coin`)
    .limit(MOST_COINS)
}

function toCoin({ coin, value, branch, position, raw }: RowOf<typeof readFreeCoins>): Coin {
  const [txid = '', vout = ''] = coin.split(':')
  return {
    txid,
    vout: Number(vout),
    value: BigInt(value),
    branch,
    index: position,
    ...(raw !== null && { rawTransaction: raw }),
  }
}

/** SQL: whether a block of our chain, at this height at most, spends the coin. Blocks below our first header are believed. */
export function isSpentInBlock(coin: SQL, height = sql`9e18`): SQL {
  return sql`EXISTS (
    SELECT 1 FROM coin_spends s WHERE s.coin = ${coin} AND s.height <= ${height} AND (
      s.height < (SELECT min(height) FROM bitcoin_headers)
      OR EXISTS (SELECT 1 FROM bitcoin_headers h WHERE h.height = s.height AND h.hash = s.block_hash)))`
}

/** The statements that record which coins of the wallets a block spends. Every block is searched as a whole, so none is missed. */
export async function recordSpends(
  db: Database,
  { height, hash }: { readonly height: number; readonly hash: string },
  { transactions }: { readonly transactions: readonly BlockTransaction[] },
  sightings: readonly { readonly reference: string }[],
): Promise<Statement[]> {
  const spenders = new Map(
    transactions.flatMap(({ txid, spends }) => spends.map((coin) => [coin, txid] as const)),
  )
  const known = await readTogether(
    db,
    ...splitIntoJsonParts([...spenders.keys()]).map((spends) =>
      selectRows({ coin: sql<string>`c.value` })
        .from(sql`json_each(${spends}) c`)
        .where(sql`EXISTS (SELECT 1 FROM payments WHERE network = 'btc' AND reference = c.value)
          OR EXISTS (SELECT 1 FROM payout_transactions WHERE txid = substr(c.value, 1, 64))`),
    ),
  )
  // A coin may be spent in the block that creates it.
  const coins = new Set([
    ...known.flat().map(({ coin }) => coin),
    ...sightings.map(({ reference }) => reference),
  ])
  const spent = [...coins].flatMap((coin) => {
    const txid = spenders.get(coin)
    return txid === undefined ? [] : [{ coin, txid }]
  })
  return splitIntoJsonParts(spent).map(
    (rows) => sql`
      INSERT INTO coin_spends (coin, block_hash, height, txid)
      SELECT r.value ->> 'coin', ${hash}, ${height}, r.value ->> 'txid' FROM json_each(${rows}) r WHERE true
      ON CONFLICT (coin, block_hash) DO NOTHING`,
  )
}
