import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { checkNativePayment, checkTokenPayment } from '../../../src/chain/ethereum/proof.ts'
import { deriveSender } from '../../../src/chain/ethereum/sender.ts'
import type { ProvedNetwork } from '../../../src/contract/money/payments.ts'
import { DAY_MS } from '../../../src/time.ts'
import { WHOLE_PROOF } from '../../chains/payments/wholeProof.ts'
import { findTokenContract } from '../../chains/servers/configuration.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { buildQuery, type Database, parseStored, readTogether, runBatch } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { getLogMessage } from '../../lib/errors.ts'
import { findScreeningProvider } from './provider.ts'

const storedNames = z.array(z.nullable(z.string()))

/** The most cases per run. Each run reads the list once. */
const PAGE = 50
/** Entries of the list that are kept of one case. */
const MOST_MATCHES = 10
/** Credited deposits are screened this long after they were filed: the chain credits them by itself. */
const CREDITED_MS = 7 * DAY_MS

/**
 * Screens the cases that wait for a decision and were not screened with the present list, or not with their present names and
 * address. Writes the result and a line of the audit log for each. Does nothing without a provider.
 */
export async function screenCases(env: Env, db: Database, nowMs: number): Promise<void> {
  const provider = findScreeningProvider(env)
  const version = await provider.findVersion()
  if (version === null) return
  const [due] = await readTogether(db, readDue(version, nowMs))
  if (due.length === 0) return
  const subjects = due.map((row) => ({
    names: parseStored(storedNames, row.names).filter((name) => name !== null),
    address: row.payment === null ? row.address : findSender(env, row),
  }))
  const { list, matches } = await provider.screen(subjects)
  const rows = due.map(({ subject, investor, names, payment }, place) => {
    const hits = matches[place] ?? []
    const address = subjects[place]?.address ?? null
    const kept = JSON.stringify(hits.slice(0, MOST_MATCHES))
    return { id: newId(), subject, investor, names, payment, address, hits: hits.length, matches: kept }
  })
  const from = sql`FROM json_each(${JSON.stringify(rows)}) r`
  await runBatch(db, [
    sql`INSERT INTO screenings (subject, investor, names, payment, address, list, list_date, list_hash, list_version, hits, matches, at)
      SELECT r.value ->> 'subject', r.value ->> 'investor', r.value ->> 'names', r.value ->> 'payment', r.value ->> 'address',
        ${list.name}, ${list.date}, ${list.hash}, ${version}, r.value ->> 'hits', r.value ->> 'matches', ${nowMs} ${from}`,
    sql`INSERT INTO audit_log (id, at, actor, action, subject, detail)
      SELECT r.value ->> 'id', ${nowMs}, 'system', iif(r.value ->> 'hits' > 0, 'screening.hit', 'screening.clear'), r.value ->> 'subject',
        json_object('list', ${list.name}, 'listDate', ${list.date}, 'listHash', ${list.hash}, 'hits', r.value ->> 'hits') ${from}`,
  ])
}

interface DueCase {
  readonly subject: string
  readonly investor: string
  /** JSON */
  readonly names: string
  /** The destination of a withdrawal. */
  readonly address: string | null
  /** The reference of the payment that a deposit has, whose sender is screened. */
  readonly payment: string | null
  readonly network: ProvedNetwork | null
  readonly paidTo: string | null
  readonly proof: string | null
}

/** Each kind by its index of open cases. The holder of a bank account is a name like that of the account and that on the document. */
function readDue(version: string, nowMs: number) {
  const NO_PAYMENT = sql`NULL AS payment, NULL AS network, NULL AS paidTo, NULL AS proof`
  const documentName = sql`(SELECT k.document_name FROM kyc_submissions k WHERE k.user_id = u.id AND k.kind = 'identity' AND k.status IN ('approved', 'pending'))`
  const selectDeposits = (where: ReturnType<typeof sql>) => sql`
    SELECT r.id, r.investor, json_array(u.fullname, ${documentName}), NULL, p.reference, p.network, p.address, ${WHOLE_PROOF}
    FROM requests r JOIN users u ON u.id = r.investor
      LEFT JOIN payments p ON p.investor = r.investor AND (p.request = r.id OR p.quote = r.id) AND p.proof IS NOT NULL
    WHERE r.queue = 'deposits' AND ${where}`
  return buildQuery<DueCase>(sql`
    SELECT c.* FROM (
      SELECT k.id AS subject, k.user_id AS investor, json_array(u.fullname, k.document_name) AS names, NULL AS address, ${NO_PAYMENT}
      FROM kyc_submissions k JOIN users u ON u.id = k.user_id WHERE k.status = 'pending'
      UNION ALL
      SELECT r.id, r.investor, json_array(u.fullname, ${documentName}, json_extract(d.bank, '$.accountHolderName')), d.address, ${NO_PAYMENT}
      FROM requests r JOIN users u ON u.id = r.investor JOIN withdrawal_details d ON d.request = r.id
      WHERE r.queue = 'withdrawals' AND r.status IN ('pending', 'approved')
      UNION ALL ${selectDeposits(sql`r.status = 'pending'`)}
      UNION ALL ${selectDeposits(sql`r.status = 'approved' AND r.created_at > ${nowMs - CREDITED_MS}`)}
    ) c
    WHERE NOT EXISTS (
      SELECT 1 FROM screenings s
      WHERE s.subject = c.subject AND s.list_version = ${version} AND s.names = c.names AND s.payment IS c.payment)
    LIMIT ${PAGE}`)
}

/** Who sent a payment, by its proof. Bitcoin's proofs do not show it. A proof that cannot be read stops no other case. */
function findSender(env: Env, { network, paidTo: to, proof: json }: DueCase): string | null {
  if (network === null || network === 'btc' || to === null || json === null) return null
  try {
    const proof: unknown = JSON.parse(json)
    if (network === 'eth') return deriveSender(checkNativePayment(proof, { to }).transaction)
    return checkTokenPayment(proof, { contract: findTokenContract(env, network) ?? '', to }).from
  } catch (error) {
    console.error(JSON.stringify({ level: 'error', screening: 'sender', error: getLogMessage(error) }))
    return null
  }
}
