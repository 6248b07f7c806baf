import { eq, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { checkNativePayment, checkTokenPayment } from '../../../src/chain/ethereum/proof.ts'
import { deriveSender } from '../../../src/chain/ethereum/sender.ts'
import type { ProvedNetwork } from '../../../src/contract/money/payments.ts'
import { DAY_MS } from '../../../src/time.ts'
import { WHOLE_PROOF } from '../../chains/payments/wholeProof.ts'
import { findTokenContract } from '../../chains/servers/configuration.ts'
import { recordAudit } from '../../http/audit.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import {
  buildQuery,
  type Database,
  parseStored,
  readTogether,
  runBatch,
  selectRows,
} from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { getLogMessage } from '../../lib/errors.ts'
import { screeningPasses } from '../../lib/tables/kyc.ts'
import { findScreeningProvider, type Match } from './provider.ts'

const storedNames = z.array(z.nullable(z.string()))

/** The most cases per run. Each run reads the list once. */
const PAGE = 50
/** The most users per run among whom customers without an open case are found. */
const CUSTOMERS = 500
/** Entries of the list that are kept of one case. */
const MOST_MATCHES = 10
/** Entries that make up the hit of one person. */
const MOST_ENTRIES = 100
/**
 * Credited deposits are screened this long after they were filed: the chain credits them by itself. Approved documents, this long
 * after their approval: the reviewer reads the name on them then.
 */
const DECIDED_MS = 7 * DAY_MS

/**
 * Screens the cases that wait for a decision and were not screened with the present list, or not with their present names and
 * address, and some of the identified customers, until all are compared with the present list. Writes the result and a line of the audit log for each
 * case, and for each customer with a hit. Hits become work of compliance. Does nothing without a provider.
 */
export async function screenCases(env: Env, db: Database, nowMs: number): Promise<void> {
  const provider = findScreeningProvider(env)
  const version = await provider.findVersion()
  if (version === null) return
  const [cases, customers, [pass]] = await readTogether(
    db,
    readDue(version, nowMs),
    readCustomers(version),
    selectRows({ finishedAt: screeningPasses.finishedAt })
      .from(screeningPasses)
      .where(eq(screeningPasses.listVersion, version)),
  )
  const isFinished = typeof pass?.finishedAt === 'number'
  if (cases.length === 0 && isFinished) return
  const due = [...cases, ...(isFinished ? [] : customers.filter(({ subject }) => subject !== null))]
  const subjects = due.map((row) => ({
    names: parseStored(storedNames, row.names).filter((name) => name !== null),
    address: row.payment === null ? row.address : findSender(env, row),
  }))
  const { list, matches } = await provider.screen(subjects)
  const rows = due.flatMap(({ subject, investor, names, payment, isCustomer }, place) => {
    const hits = matches[place] ?? []
    if (isCustomer === 1 && hits.length === 0) return []
    const address = subjects[place]?.address ?? null
    const kept = JSON.stringify(hits.slice(0, MOST_MATCHES))
    return [{ id: newId(), subject, investor, names, payment, address, hits: hits.length, matches: kept }]
  })
  const found = due.flatMap(({ investor }, place) =>
    (matches[place] ?? []).slice(0, MOST_ENTRIES).map((entry) => ({ investor, entry })),
  )
  const from = sql`FROM json_each(${JSON.stringify(rows)}) r`
  const after = customers.at(-1)?.row
  await runBatch(db, [
    sql`INSERT INTO screenings (subject, investor, names, payment, address, list, list_date, list_hash, list_version, hits, matches, at)
      SELECT r.value ->> 'subject', r.value ->> 'investor', r.value ->> 'names', r.value ->> 'payment', r.value ->> 'address',
        ${list.name}, ${list.date}, ${list.hash}, ${version}, r.value ->> 'hits', r.value ->> 'matches', ${nowMs} ${from}`,
    sql`INSERT INTO audit_log (id, at, actor, action, subject, detail)
      SELECT r.value ->> 'id', ${nowMs}, 'system', iif(r.value ->> 'hits' > 0, 'screening.hit', 'screening.clear'), r.value ->> 'subject',
        json_object('list', ${list.name}, 'listDate', ${list.date}, 'listHash', ${list.hash}, 'hits', r.value ->> 'hits') ${from}`,
    ...(found.length === 0 ? [] : [openHits(found, nowMs)]),
    ...(isFinished ? [] : [recordPass(version, customers, nowMs)]),
    ...(isFinished || after !== undefined
      ? []
      : [
          recordAudit(
            db,
            'system',
            {
              action: 'screening.finished',
              subject: 'screening',
              detail: { list: list.name, listHash: list.hash },
            },
            nowMs,
          ),
        ]),
  ])
}

/**
 * Opens a hit for each person with entries that no hit of theirs has, or adds them to the open one. An entry that the list
 * changed is another one, so it opens a hit again that was cleared. The country does not count: older hits were stored without it.
 */
function openHits(found: readonly { readonly investor: string; readonly entry: Match }[], nowMs: number) {
  return sql`
    INSERT INTO sanctions_hits (id, investor, entries, found_at)
    SELECT lower(hex(randomblob(16))), investor, json_group_array(json(entry)), ${nowMs} FROM (
      SELECT DISTINCT f.value ->> 'investor' AS investor, f.value -> 'entry' AS entry FROM json_each(${JSON.stringify(found)}) f) n
    WHERE NOT EXISTS (
      SELECT 1 FROM sanctions_hits h, json_each(h.entries) e WHERE h.investor = n.investor
        AND json_remove(e.value, '$.country') = json_remove(n.entry, '$.country'))
    GROUP BY investor
    ON CONFLICT (investor) WHERE cleared_at IS NULL DO UPDATE SET entries = (
      SELECT json_group_array(json(value)) FROM (
        SELECT value FROM json_each(sanctions_hits.entries) UNION ALL SELECT value FROM json_each(excluded.entries)))`
}

/** Records which customers were compared. A run without any ends the pass. */
function recordPass(version: string, customers: readonly DueCase[], nowMs: number) {
  const last = customers.at(-1)?.row ?? null
  return sql`
    INSERT INTO screening_passes (list_version, after_row, compared, begun_at, finished_at)
    VALUES (${version}, ${last ?? 0}, ${customers.length}, ${nowMs}, ${last === null ? nowMs : null})
    ON CONFLICT (list_version) DO UPDATE SET after_row = max(after_row, excluded.after_row),
      compared = compared + excluded.compared, finished_at = excluded.finished_at`
}

interface DueCase {
  readonly subject: string | null
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
  /** 1 for a customer without a case of their own, whose `row` is their place among all users. */
  readonly isCustomer: 0 | 1
  readonly row?: number
}

/** The next users who were not reached with this list. `subject` is null for those who are no identified customers. */
function readCustomers(version: string) {
  return buildQuery<DueCase>(sql`
    SELECT u.rowid AS row, k.id AS subject, u.id AS investor, json_array(u.fullname, k.document_name) AS names, NULL AS address,
      NULL AS payment, NULL AS network, NULL AS paidTo, NULL AS proof, 1 AS isCustomer
    FROM (
      SELECT rowid, id, fullname, closed_at FROM users
      WHERE rowid > coalesce((SELECT after_row FROM screening_passes WHERE list_version = ${version}), 0) ORDER BY rowid LIMIT ${CUSTOMERS}) u
    LEFT JOIN kyc_submissions k ON k.user_id = u.id AND k.kind = 'identity' AND k.status = 'approved' AND u.closed_at IS NULL
    ORDER BY u.rowid`)
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
    SELECT c.*, 0 AS isCustomer FROM (
      SELECT k.id AS subject, k.user_id AS investor, json_array(u.fullname, k.document_name) AS names, NULL AS address, ${NO_PAYMENT}
      FROM kyc_submissions k JOIN users u ON u.id = k.user_id
      WHERE k.seq IN (
        SELECT seq FROM kyc_submissions WHERE status = 'pending'
        UNION ALL SELECT seq FROM kyc_submissions WHERE status = 'approved' AND decided_at > ${nowMs - DECIDED_MS})
      UNION ALL
      SELECT r.id, r.investor, json_array(u.fullname, ${documentName}, json_extract(d.bank, '$.accountHolderName')), d.address, ${NO_PAYMENT}
      FROM requests r JOIN users u ON u.id = r.investor JOIN withdrawal_details d ON d.request = r.id
      WHERE r.queue = 'withdrawals' AND r.status IN ('pending', 'approved')
      UNION ALL ${selectDeposits(sql`r.status = 'pending'`)}
      UNION ALL ${selectDeposits(sql`r.status = 'approved' AND r.created_at > ${nowMs - DECIDED_MS}`)}
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
