import { desc, eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { deriveTreasuryAddress, parseAccountKey } from '../../../src/chain/ethereum/account.ts'
import {
  AMOUNTS_SEARCHED,
  type searchConsole as endpoint,
  MOST_FOUND,
} from '../../../src/contract/console/search.ts'
import { type Chain, PROVED_NETWORKS } from '../../../src/contract/money/payments.ts'
import { parseUsd, toUsd } from '../../../src/contract/money.ts'
import { CASE_SCOPES } from '../../../src/contract/roles.ts'
import { readAmount } from '../../../src/contract/typedAmounts.ts'
import { getKeyName } from '../../chains/watchWallets/keyHolders.ts'
import { readWallet } from '../../chains/watchWallets/signers.ts'
import { type CallOf, ok } from '../../http/call.ts'
import { toIso } from '../../http/paging.ts'
import { hasScope } from '../../http/scopes.ts'
import { type RowOf, readTogether, selectRows } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { kycSubmissions } from '../../lib/tables/kyc.ts'
import { contactMessages } from '../../lib/tables/outreach.ts'
import { watchWallets } from '../../lib/tables/payments.ts'
import { users } from '../../lib/tables/people.ts'
import { requests } from '../../lib/tables/requests.ts'
import { isKeySearched, matchTransactionSql } from '../../money/requests/references.ts'
import { matchAddressSql, matchRefSql, matchUserNamesSql, selectPaidTo } from '../cases/search.ts'
import { toInvestorRow } from '../investors/investor.ts'
import { readPage } from '../investors/list.ts'

/** Finds people, references and amounts in one round trip. Each search uses an index or reads a fixed number of rows. */
export async function search({ db, env, actor, body: { query } }: CallOf<typeof endpoint>) {
  const [people, owners, cases, watched, operators] = await readTogether(
    db,
    readPage(actor.id, { query, limit: MOST_FOUND - 1 }),
    readOwners(query),
    readCases(query),
    readWatched(query),
    readOperators(query),
  )
  return ok({
    people: [
      ...owners,
      ...people
        .toSorted((first, second) => second.seq - first.seq)
        .map((facts) => {
          const { _id, name, email } = toInvestorRow(facts)
          return { _id, name, email }
        }),
    ].slice(0, MOST_FOUND),
    cases: cases
      .filter(({ kind }) => hasScope(actor, CASE_SCOPES[kind]))
      .map(({ createdAt, amount, ...found }) => ({
        ...found,
        amount: amount === null ? null : toUsd(amount),
        createdAt: toIso(createdAt),
      })),
    operators: hasScope(actor, 'operator:audit.read') ? operators : [],
    wallets: hasScope(actor, 'operator:wallets.read') ? findWallets(env, watched, query) : [],
  })
}

/** Operators by a part of the name or the e-mail address. There are few. */
function readOperators(query: string) {
  const u = alias(users, 'u')
  return selectRows({ _id: u.id, name: u.displayName, email: u.email })
    .from(u)
    .where(
      sql`u.role = 'operator' AND u.id NOT IN ('system', 'practice')
        AND (${matchUserNamesSql(query)} OR instr(u.email, ${query.trim().toLowerCase()}) > 0)`,
    )
    .limit(MOST_FOUND)
}

/** The newest watch-only wallets. Few exist, so that the Worker compares them itself. */
function readWatched(query: string) {
  const { id: _id, chain, descriptor, retiredAt, seq } = watchWallets
  return selectRows({
    ...{ _id, chain, descriptor, retiredAt },
    hasAddress: sql<0 | 1>`EXISTS (
      SELECT 1 FROM (SELECT wallet FROM deposit_addresses WHERE ${matchAddressSql(query)} LIMIT ${MOST_FOUND})
      WHERE wallet = ${_id})`,
  })
    .from(watchWallets)
    .orderBy(desc(seq))
    .limit(MOST_WATCHED)
}

const MOST_WATCHED = 20

/** Wallets by their chain, the fingerprint of a key, a part of the descriptor, or an address of theirs or of their keys. */
function findWallets(env: Env, watched: readonly RowOf<typeof readWatched>[], query: string) {
  const text = query.trim().toLowerCase()
  const isAddress = text.length >= 6 && /^(?:bc1|tb1|bcrt1|0x)\w+$/.test(text)
  return watched
    .filter(({ chain, descriptor, hasAddress }) => {
      if (hasAddress === 1) return true
      if (text.length >= 3 && `watch-only wallet ${chain}`.split(' ').some((word) => word.startsWith(text)))
        return true
      if (text.length >= 4 && descriptor.toLowerCase().includes(text.length < 20 ? `[${text}` : text))
        return true
      return (
        isAddress &&
        listKeyAddresses(env, chain, descriptor).some((address) => address.toLowerCase().startsWith(text))
      )
    })
    .slice(0, MOST_FOUND)
    .map(({ _id, chain, descriptor, retiredAt }) => ({
      ...{ _id, chain },
      active: retiredAt === null,
      keyNames: readWallet(env, chain, descriptor).signers.map(getKeyName),
    }))
}

/** The addresses that prove the keys, and the treasury that pays on Ethereum. */
function listKeyAddresses(env: Env, chain: Chain, descriptor: string): string[] {
  const signers = readWallet(env, chain, descriptor).signers.map(({ address }) => address)
  return chain === 'ethereum' ? [...signers, deriveTreasuryAddress(parseAccountKey(descriptor))] : signers
}

const NO_AMOUNT = sql<number | null>`NULL`

/** SQL of a column of the observed payments that a transaction id or an address finds. */
function selectPayments(column: SQL, query: string): SQL {
  return sql`
    SELECT ${column} FROM payments WHERE network IN ${[...PROVED_NETWORKS]} AND ${matchTransactionSql(query, sql`reference`)}
    UNION SELECT ${column} FROM (SELECT investor, request FROM payments WHERE ${matchAddressSql(query)} LIMIT ${MOST_FOUND})`
}

/** The investors who were given a deposit address, or whose payment was observed. */
function readOwners(query: string) {
  const { id: _id, displayName: name, email } = users
  return selectRows({ _id, name, email })
    .from(users)
    .where(sql`${_id} IN (
      SELECT investor FROM (SELECT investor FROM deposit_addresses WHERE ${matchAddressSql(query)} LIMIT ${MOST_FOUND})
      UNION ${selectPayments(sql`investor`, query)})`)
    .limit(MOST_FOUND)
}

/** Requests by the address, the transaction id or the bank account of a payment to or from us. */
function selectByPayment(query: string): SQL {
  const account = query.toLowerCase().replace(/[\s-]/g, '')
  const transaction = matchTransactionSql(query, sql`txid`)
  const found = [
    sql`SELECT request FROM request_events WHERE reference_key IS NOT NULL AND ${isKeySearched(query)}`,
    sql`SELECT request FROM credit_approvals WHERE ${isKeySearched(query)}`,
    sql`SELECT request FROM deposit_details WHERE ${transaction}`,
    selectPaidTo(query),
    selectPayments(sql`request`, query),
    sql`SELECT i.request FROM payout_transactions t JOIN payout_items i ON i.payout = t.payout WHERE ${transaction}`,
    sql`SELECT request FROM withdrawal_details WHERE ${matchAddressSql(query)}`,
    sql`SELECT request FROM withdrawal_details
      WHERE bank IS NOT NULL AND lower(replace(replace(json_extract(bank, '$.accountNumber'), ' ', ''), '-', '')) = ${account}`,
  ]
  // D1 joins at most five queries by UNION.
  const isFound = found.map((ids) => sql`id IN (SELECT request FROM (${ids} LIMIT ${AMOUNTS_SEARCHED}))`)
  return sql`SELECT seq FROM requests WHERE ${sql.join(isFound, sql` OR `)}`
}

/** Cases by reference, a message by its sender’s address, or else by payment or amount: `DEP-7F`, `$7,200`, `7200.50`. */
function readCases(query: string) {
  const [requestRef, kycRef, threadRef] = [
    matchRefSql(query, 'DEP|WDR'),
    matchRefSql(query, 'KYC'),
    matchRefSql(query, 'MSG'),
  ]
  if (kycRef !== null) {
    const [k, u] = [alias(kycSubmissions, 'k'), alias(users, 'u')]
    const { id: _id, ref, status, createdAt, seq } = k
    const kind = sql<'kyc'>`'kyc'`
    return selectRows({ _id, kind, ref, status, amount: NO_AMOUNT, person: u.displayName, createdAt })
      .from(k)
      .innerJoin(u, eq(u.id, k.userId))
      .where(sql`k.seq IN (SELECT seq FROM kyc_submissions WHERE ${kycRef})`)
      .orderBy(desc(seq))
      .limit(MOST_FOUND)
  }
  if (threadRef !== null) return readThreads(threadRef)
  if (query.includes('@')) return readThreads(sql`email = ${query.trim().toLowerCase()}`)
  if (requestRef !== null) return readFoundRequests(sql`SELECT seq FROM requests WHERE ${requestRef}`)
  const cents = parseUsd(readAmount(query).amount)
  const paid = selectByPayment(query)
  return readFoundRequests(cents === null ? paid : sql`${paid} UNION ALL ${selectByAmount(cents)}`)
}

function readThreads(where: SQL) {
  const { id: _id, ref, status, name: person, createdAt, seq } = contactMessages
  const kind = sql<'message'>`'message'`
  return selectRows({ _id, kind, ref, status, amount: NO_AMOUNT, person, createdAt })
    .from(contactMessages)
    .where(where)
    .orderBy(desc(seq))
    .limit(MOST_FOUND)
}

function readFoundRequests(seqs: SQL) {
  const [r, u] = [alias(requests, 'r'), alias(users, 'u')]
  const { id: _id, ref, status, amount, createdAt, seq } = r
  const kind = sql<
    'deposit' | 'withdrawal'
  >`CASE r.queue WHEN 'deposits' THEN 'deposit' ELSE 'withdrawal' END`
  return selectRows({ _id, kind, ref, status, amount, person: u.displayName, createdAt })
    .from(r)
    .innerJoin(u, eq(u.id, r.investor))
    .where(sql`r.seq IN (${seqs})`)
    .orderBy(sql`r.status IN ('pending', 'approved') DESC`, desc(seq))
    .limit(MOST_FOUND)
}

function selectByAmount(cents: number): SQL {
  const selectAmong = (requests: SQL) => sql`
    SELECT seq FROM (SELECT seq, amount, asked FROM requests ${requests} LIMIT ${AMOUNTS_SEARCHED}) WHERE ${cents} IN (amount, asked)`
  return sql.join(
    [
      selectAmong(sql`WHERE queue = 'deposits' AND status = 'pending' ORDER BY created_at`),
      selectAmong(sql`WHERE queue = 'withdrawals' AND status = 'pending' ORDER BY created_at`),
      selectAmong(sql`WHERE queue = 'withdrawals' AND status = 'approved' ORDER BY created_at`),
      selectAmong(sql`ORDER BY seq DESC`),
    ],
    sql` UNION ALL `,
  )
}
