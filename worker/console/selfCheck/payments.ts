import { sql } from 'drizzle-orm'
import { COIN_LABELS } from '../../../src/contract/money/coins.ts'
import type { Chain } from '../../../src/contract/money/payments.ts'
import { type Database, reading, readTogether } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { readStoredProofs, stillProves } from '../../money/chain/storedProofs.ts'
import { chainsOf } from '../../money/chainServers/configuration.ts'
import type { Finding } from './findings.ts'
import type { Checked } from './run.ts'

const MOST = sql.raw('LIMIT 5')
/** Proofs that one run checks again. After the last one it begins anew, so that every proof is checked in turn. */
const PROOFS_A_RUN = 20
/** A server that fails for a shorter time is no finding: servers are restarted. */
const FAILING_MS = 5 * 60_000

/** Checks that exactly the credited payments have approved deposits, of equal amounts, and that stored proofs still prove them. */
export async function checkPayments(
  db: Database,
  stored: string | null,
  _nowMs: number,
  env: Env,
): Promise<Checked> {
  const after = stored === null || stored === '' ? 0 : Number(stored)
  const [proofs, ...found] = await readTogether(
    db,
    readStoredProofs(after, PROOFS_A_RUN),
    reading<Finding>(sql`
      SELECT 'Payment ' || p.id || ' is ' || p.state || ', and its deposit was not credited with it' AS finding
      FROM payments p LEFT JOIN requests r ON r.id = p.request
        LEFT JOIN request_events e ON e.request = p.request AND e.status = 'approved'
      WHERE p.state IN ('credited', 'undone') AND NOT coalesce(
        r.status IN ('approved', 'reversed') AND e.amount = p.amount AND e.reference_key = p.reference AND e.units = p.units, 0)
      ${MOST}`),
    reading<Finding>(sql`
      SELECT 'Deposit ' || r.id || ' to an own address is ' || r.status || ' without a payment' AS finding
      FROM deposit_addresses a JOIN requests r ON r.investor = a.investor AND r.queue = 'deposits' AND r.status = 'approved'
        JOIN deposit_details d ON d.request = r.id AND d.payment_to = a.address
      WHERE NOT EXISTS (SELECT 1 FROM payments p WHERE p.request = r.id AND p.state IN ('credited', 'undone')) ${MOST}`),
    reading<Finding>(sql`
      SELECT 'Payment ' || p.id || ' of ' || p.amount || ' cents is no longer on its chain after its credit' AS finding
      FROM payments p JOIN requests r ON r.id = p.request AND r.status = 'approved' WHERE p.state = 'undone' ${MOST}`),
  )
  const broken = chainsOf(env).length === 0 ? [] : proofs.filter((proof) => !stillProves(env, proof))
  return {
    findings: [
      ...found.flatMap((rows) => rows.map(({ finding }) => finding)),
      ...broken.map(({ id }) => `The stored proof of payment ${id} does not prove it`),
    ],
    checkpoint: String(proofs.length < PROOFS_A_RUN ? 0 : (proofs.at(-1)?.seq ?? 0)),
  }
}

/** Finds servers of chains that fail, disagree or stand still. While one does, nothing of its chain becomes final. */
export async function checkChainServers(
  db: Database,
  _stored: string | null,
  nowMs: number,
): Promise<Checked> {
  const [failing] = await readTogether(
    db,
    reading<{ chain: Chain; server: string; fault: string }>(sql`
      SELECT chain, server, fault FROM chain_servers
      WHERE fault IS NOT NULL AND failing_since <= ${nowMs - FAILING_MS} ORDER BY chain, server`),
  )
  return {
    findings: failing.map(
      ({ chain, server, fault }) => `The ${COIN_LABELS[chain]} server ${server} ${fault}`,
    ),
    checkpoint: '',
  }
}
