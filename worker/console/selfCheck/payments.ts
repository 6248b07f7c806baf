import { isNotNull, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { COIN_LABELS } from '../../../src/contract/money/coins.ts'
import { isProofValid, readStoredProofs } from '../../chains/follow/storedProofs.ts'
import { readUnsearchedBlocks } from '../../chains/follow/unsearchedBlocks.ts'
import { listChains } from '../../chains/servers/configuration.ts'
import { type Database, parseStored, readTogether, selectRows, selectValues } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { chainServers } from '../../lib/tables/payments.ts'
import { readFindings } from './findings.ts'
import type { CheckResult } from './run.ts'

const MOST = sql.raw('LIMIT 5')
/**
 * Rows that one run checks: proofs, payments and own addresses. After the last one it begins anew, so that each is checked in turn. Only
 * proofs are checked outside the database.
 */
const A_RUN = { proofs: 20, payments: 5_000, addresses: 5_000 }
/** A server that fails for a shorter time is no finding: servers are restarted. */
const FAILING_MS = 5 * 60_000

/** The number of the last row of each kind that was checked; 0 to begin anew. */
const places = z.object({ proofs: z.number(), payments: z.number(), addresses: z.number() })
type Places = z.output<typeof places>

/** Checks that exactly the credited payments have approved deposits, of equal amounts, and that stored proofs still prove them. */
export async function checkPayments(
  db: Database,
  stored: string | null,
  _nowMs: number,
  env: Env,
  most = A_RUN,
): Promise<CheckResult> {
  const after = stored === null ? { proofs: 0, payments: 0, addresses: 0 } : parseStored(places, stored)
  const payments = sql`
    SELECT * FROM payments WHERE seq > ${after.payments} AND state IN ('credited', 'undone') ORDER BY seq LIMIT ${most.payments}`
  const addresses = sql`
    SELECT * FROM deposit_addresses WHERE seq > ${after.addresses} ORDER BY seq LIMIT ${most.addresses}`
  const placeAfter = (rows: SQL, size: number) => sql<number>`(
    SELECT iif(count(*) < ${size}, 0, max(seq)) FROM (${rows}))`
  const [proofs, reached, uncredited, unpaid, undone] = await readTogether(
    db,
    readStoredProofs(after.proofs, most.proofs),
    selectValues({
      payments: placeAfter(payments, most.payments),
      addresses: placeAfter(addresses, most.addresses),
    }),
    readFindings(sql`
      SELECT 'Payment ' || p.id || ' is ' || p.state || ', and its deposit was not credited with it' AS finding
      FROM (${payments}) p LEFT JOIN requests r ON r.id = p.request
        LEFT JOIN request_events e ON e.request = p.request AND e.status = 'approved'
      WHERE NOT coalesce(
        r.status IN ('approved', 'reversed') AND e.amount = p.amount AND e.reference_key = p.reference AND e.units = p.units, 0)
      ${MOST}`),
    readFindings(sql`
      SELECT 'Deposit ' || r.id || ' to an own address is ' || r.status || ' without a payment' AS finding
      FROM (${addresses}) a JOIN requests r ON r.investor = a.investor AND r.kind = 'deposit' AND r.status = 'approved'
        JOIN deposit_details d ON d.request = r.id AND d.payment_to = a.address
      WHERE NOT EXISTS (SELECT 1 FROM payments p WHERE p.request = r.id AND p.state IN ('credited', 'undone')) ${MOST}`),
    readFindings(sql`
      SELECT 'Payment ' || p.id || ' of ' || p.amount || ' cents is no longer on its chain after its credit' AS finding
      FROM payments p JOIN requests r ON r.id = p.request AND r.status = 'approved' WHERE p.state = 'undone' ${MOST}`),
  )
  const broken = listChains(env).length === 0 ? [] : proofs.filter((proof) => !isProofValid(env, proof))
  return {
    findings: [
      ...[uncredited, unpaid, undone].flatMap((rows) => rows.map(({ finding }) => finding)),
      ...broken.map(({ id }) => `The stored proof of payment ${id} does not prove it`),
    ],
    checkpoint: JSON.stringify({
      proofs: proofs.length < most.proofs ? 0 : (proofs.at(-1)?.seq ?? 0),
      // A finding keeps its place, so that the next run finds it again until it is fixed.
      payments: uncredited.length > 0 ? after.payments : (reached[0]?.payments ?? 0),
      addresses: unpaid.length > 0 ? after.addresses : (reached[0]?.addresses ?? 0),
    } satisfies Places),
  }
}

/**
 * Finds servers of chains that fail, disagree or stand still, blocks that could not be searched, and blocks of an unknown fork. While a
 * server fails, no payment of its chain becomes final. Payments in an unsearched block wait.
 */
export async function checkChainServers(
  db: Database,
  _stored: string | null,
  nowMs: number,
): Promise<CheckResult> {
  const { chain, server, fault, notice } = chainServers
  const [failing, noticed, unsearched] = await readTogether(
    db,
    selectRows({ chain, server, fault })
      .from(chainServers)
      .where(sql`fault IS NOT NULL AND failing_since <= ${nowMs - FAILING_MS}`)
      .orderBy(chain, server),
    selectRows({ chain, server, notice }).from(chainServers).where(isNotNull(notice)).orderBy(chain, server),
    readUnsearchedBlocks(5),
  )
  return {
    findings: [
      ...failing.map(({ chain, server, fault }) => `The ${COIN_LABELS[chain]} server ${server} ${fault}`),
      ...noticed.map(
        ({ chain, server, notice }) =>
          `The ${COIN_LABELS[chain]} server ${server} ${notice}: payments are credited, and the platform needs an update`,
      ),
      ...unsearched.map(
        ({ chain, height, fault }) =>
          `Block ${height} of ${COIN_LABELS[chain]} could not be searched for payments: a server ${fault}`,
      ),
    ],
    checkpoint: '',
  }
}
