import { type SQL, sql } from 'drizzle-orm'
import { buildQuery, type RowQuery } from '../../lib/database.ts'
import { DAY_MS_SQL } from '../../lib/days.ts'

/** A problem: one sentence with ids and figures. */
export interface Finding {
  readonly finding: string
}

/** A check: SQL that writes a sentence about each problem. */
export const readFindings = (query: SQL): RowQuery<Finding> => buildQuery(query)

const MOST = sql.raw('LIMIT 5')

/**
 * Checks investors' books: balances equal the sum of transfers and the last checkpoint, stay within bounds and sum to zero, and no
 * debt exists beside cash. `owners` selects ids.
 */
export function findInBooks(owners: SQL): RowQuery<Finding>[] {
  const moved = sql`(
    (SELECT coalesce(sum(t.amount), 0) FROM transfers t WHERE t.to_account = a.id)
    - (SELECT coalesce(sum(t.amount), 0) FROM transfers t WHERE t.from_account = a.id))`
  return [
    readFindings(sql`
      SELECT 'Account ' || a.id || ' holds ' || a.balance || ', its transfers say ' || ${moved} AS finding
      FROM accounts a WHERE a.owner IN (${owners}) AND a.balance <> ${moved} ${MOST}`),
    readFindings(sql`
      SELECT 'Account ' || a.id || ' holds ' || a.balance || ', past its bounds' AS finding
      FROM accounts a JOIN account_kinds k ON k.kind = a.kind
      WHERE a.owner IN (${owners}) AND (a.balance < k.floor OR a.balance > k.ceiling) ${MOST}`),
    readFindings(sql`
      SELECT 'The books of ' || owner || ' sum to ' || sum(balance) AS finding
      FROM accounts WHERE owner IN (${owners}) GROUP BY owner HAVING sum(balance) <> 0 ${MOST}`),
    readFindings(sql`
      SELECT o.owner || ' owes ' || -o.balance || ' and has ' || a.balance || ' available' AS finding
      FROM accounts o JOIN accounts a ON a.id = o.owner || ':available'
      WHERE o.owner IN (${owners}) AND o.kind = 'owed' AND o.balance < 0 AND a.balance > 0 ${MOST}`),
    readFindings(sql`
      SELECT 'The last checkpoint of ' || a.owner || ' does not have the balances of the books' AS finding
      FROM accounts a WHERE a.owner IN (${owners}) GROUP BY a.owner
      HAVING (${sql.join(
        ['available', 'held', 'allocating', 'invested', 'owed'].map(
          (kind) => sql`sum(iif(a.kind = ${kind}, a.balance, 0))`,
        ),
        sql`, `,
      )}) IS NOT (
        SELECT available, held, allocating, invested, owed FROM balance_checkpoints
        WHERE owner = a.owner AND at = ${AFTER_ALL_ENTRIES}) ${MOST}`),
  ]
}

/** `at` of an investor's last checkpoint. */
const AFTER_ALL_ENTRIES = sql.raw('9007199254740991')

/**
 * Checks checkpoints: each has the balances of the one before it plus the entries between, which are at most 100, of one day. The first
 * has no entry before it. `checkpoints` selects rows.
 */
export function findInCheckpoints(checkpoints: SQL): RowQuery<Finding>[] {
  const columns = sql.raw('available, held, allocating, invested, owed, net_paid_in')
  const selectPrevious = (what: SQL) => sql`
    SELECT ${what} FROM balance_checkpoints WHERE owner = p.owner AND (at, seq) < (p.at, p.seq)
    ORDER BY at DESC, seq DESC LIMIT 1`
  return [
    readFindings(sql`
      SELECT 'The checkpoint of ' || p.owner || ' before entry ' || p.seq || ' does not follow from its entries' AS finding
      FROM (${checkpoints}) p
      WHERE (p.entries, p.available, p.held, p.allocating, p.invested, p.owed, p.net_paid_in, 1) IS NOT (
        SELECT coalesce(sum(entries), 0), coalesce(sum(available), 0), coalesce(sum(held), 0), coalesce(sum(allocating), 0),
          coalesce(sum(invested), 0), coalesce(sum(owed), 0), coalesce(sum(net_paid_in), 0),
          count(*) = 0 OR (max(is_checkpoint) AND count(*) <= 101 AND min(day) = max(day))
        FROM (
          SELECT * FROM (${selectPrevious(sql`1 AS is_checkpoint, at / ${DAY_MS_SQL} AS day, entries, ${columns}`)})
          UNION ALL
          SELECT 0, at / ${DAY_MS_SQL}, 1, ${columns} FROM balance_changes
          -- The index is of an expression, which a column's affinity keeps from being used.
          WHERE owner = +p.owner AND at >= coalesce((${selectPrevious(sql`at`)}), 0) AND (at, seq) < (p.at, p.seq)
            AND (at, seq) >= (coalesce((${selectPrevious(sql`at`)}), 0), coalesce((${selectPrevious(sql`seq`)}), 0)))) ${MOST}`),
  ]
}

/** Checks transfers after `from` and up to `to`: none is missing, and each has the record that caused it. */
export function findInTransfers(from: number, to: SQL | number): RowQuery<Finding>[] {
  const selectOwner = (account: SQL) => sql`substr(${account}, 1, instr(${account}, ':') - 1)`
  return [
    readFindings(sql`
      SELECT 'Of the transfers ' || ${from + 1} || ' to ' || newest || ' some are missing' AS finding
      FROM (SELECT ${to} AS newest)
      WHERE newest - ${from} <> (SELECT count(*) FROM transfers WHERE seq > ${from} AND seq <= newest)`),
    // SQLite keeps the highest number it assigned, even after that row is deleted.
    readFindings(sql`
      SELECT 'Transfers were numbered up to ' || s.seq || ', some of the newest are missing' AS finding
      FROM sqlite_sequence s WHERE s.name = 'transfers' AND s.seq <> (SELECT coalesce(max(seq), 0) FROM transfers)`),
    readFindings(sql`
      SELECT 'Transfer ' || t.id || ' lacks its cause' AS finding
      FROM transfers t LEFT JOIN requests r ON r.id = t.ref LEFT JOIN proposals p ON p.id = t.ref
        LEFT JOIN referral_bonuses b ON b.id = t.ref LEFT JOIN unit_orders o ON o.id = t.ref
        LEFT JOIN unit_movements m ON m.ref = t.ref
      WHERE t.seq > ${from} AND t.seq <= ${to} AND NOT coalesce(
        coalesce(r.investor, p.investor, b.referrer, o.investor, m.investor) = ${selectOwner(sql`t.from_account`)}
        AND coalesce(r.investor, p.investor, b.referrer, o.investor, m.investor) = ${selectOwner(sql`t.to_account`)}
        AND CASE t.code
          WHEN 'bonus' THEN CASE WHEN b.id IS NULL
            THEN p.kind = 'bonus' AND p.status = 'approved' AND p.amount = t.amount
            ELSE b.granted_at IS NOT NULL AND b.amount = t.amount END
          WHEN 'credit' THEN r.queue = 'deposits' AND r.status IN ('approved', 'reversed') AND r.amount = t.amount
          WHEN 'repay' THEN t.amount <= CASE
            WHEN o.id IS NULL THEN coalesce(r.amount, p.amount, b.amount)
            WHEN o.status = 'cancelled' THEN o.cents
            ELSE m.cents END
          WHEN 'overdraw' THEN CASE WHEN b.id IS NULL
            THEN r.queue = 'deposits' AND r.status = 'reversed' AND t.amount <= r.amount
            ELSE b.reversed_at IS NOT NULL AND t.amount <= b.amount END
          WHEN 'reverse_bonus' THEN b.reversed_at IS NOT NULL AND b.amount = t.amount
          WHEN 'reverse_credit' THEN r.queue = 'deposits' AND r.status = 'reversed' AND r.amount = t.amount
          WHEN 'hold' THEN r.queue = 'withdrawals' AND r.amount = t.amount
          WHEN 'release' THEN r.queue = 'withdrawals' AND r.status IN ('cancelled', 'rejected') AND r.amount = t.amount
          WHEN 'complete' THEN r.queue = 'withdrawals' AND r.status IN ('completed', 'reversed') AND r.amount = t.amount
          WHEN 'reverse_payout' THEN r.queue = 'withdrawals' AND r.status = 'reversed' AND r.amount = t.amount
          WHEN 'allocate' THEN o.kind = 'allocate' AND o.cents = t.amount
          WHEN 'deallocate' THEN o.kind = 'allocate' AND o.status = 'cancelled' AND o.cents = t.amount
          WHEN 'invest' THEN o.status = 'settled' AND m.code = 'issue' AND m.cents = t.amount
          WHEN 'redeem' THEN m.code <> 'issue' AND min(m.cost, m.cents) = t.amount
          WHEN 'gain' THEN m.code <> 'issue' AND m.cents - m.cost = t.amount
          WHEN 'lose' THEN m.code <> 'issue' AND m.cost - m.cents = t.amount
          WHEN 'fee' THEN m.code = 'fee' AND m.cents = t.amount
          WHEN 'forfeit' THEN m.code = 'redeem' AND t.amount <= m.cents - m.cost
          END, 0) ${MOST}`),
  ]
}

// The postings that each status requires: queue, status, ledger codes, custody codes.
const POSTED = JSON.stringify([
  ['deposits', 'approved', ['credit'], ['in']],
  ['deposits', 'reversed', ['credit', 'reverse_credit'], ['in', 'reverse_in']],
  ['withdrawals', 'pending', ['hold'], []],
  ['withdrawals', 'approved', ['hold'], []],
  ['withdrawals', 'cancelled', ['hold', 'release'], []],
  ['withdrawals', 'rejected', ['hold', 'release'], []],
  ['withdrawals', 'completed', ['hold', 'complete'], ['out']],
  ['withdrawals', 'reversed', ['hold', 'complete', 'reverse_payout'], ['out', 'reverse_out']],
])

/** Checks requests: each decision was posted in the ledger and in custody, and each status equals its events. */
export function findInRequests(requests: SQL): RowQuery<Finding>[] {
  const joinPostedSql = (codes: number) => sql`
    FROM requests r
    JOIN json_each(${POSTED}) p ON p.value ->> 0 = r.queue AND p.value ->> 1 = r.status
    JOIN json_each(p.value, ${`$[${codes}]`}) c
    WHERE r.id IN (${requests})`
  return [
    readFindings(sql`
      SELECT 'Request ' || r.id || ' is ' || r.status || ' without its ' || c.value AS finding ${joinPostedSql(2)}
        AND NOT EXISTS (SELECT 1 FROM transfers t WHERE t.ref = r.id AND t.code = c.value AND t.amount = r.amount) ${MOST}`),
    // An amount below the asset's smallest unit has quantity 0 and no entry.
    readFindings(sql`
      SELECT 'Request ' || r.id || ' is ' || r.status || ' without its custody entry ' || c.value AS finding ${joinPostedSql(3)}
        AND NOT EXISTS (SELECT 1 FROM custody_entries e WHERE e.ref = r.id AND e.code = c.value)
        AND NOT EXISTS (SELECT 1 FROM withdrawal_details d WHERE d.request = r.id AND d.quantity = '0') ${MOST}`),
    readFindings(sql`
      SELECT 'Request ' || r.id || ' is ' || r.status || ' without an event' AS finding
      FROM requests r WHERE r.id IN (${requests})
        AND NOT EXISTS (SELECT 1 FROM request_events e WHERE e.request = r.id AND e.status = r.status) ${MOST}`),
    ...findInPayouts(requests),
  ]
}

/**
 * Checks the payouts of requests: a request paid by a confirmed payout is completed under its transaction and left custody in that
 * quantity, and a request completed by the system was paid by a confirmed payout. A mined transaction has its fee.
 */
function findInPayouts(requests: SQL): RowQuery<Finding>[] {
  return [
    readFindings(sql`
      SELECT 'Request ' || i.request || ' was paid by the payout ' || p.id || ' and is not completed as it says' AS finding
      FROM payout_items i JOIN payouts p ON p.id = i.payout AND p.state = 'confirmed'
        JOIN payout_transactions t ON t.payout = p.id AND t.version = p.version
      WHERE i.request IN (${requests}) AND (
        NOT EXISTS (
          SELECT 1 FROM request_events e WHERE e.request = i.request AND e.status = 'completed' AND e.actor = 'system'
            AND e.reference_key = t.txid || iif(p.chain = 'bitcoin', ':' || i.output, ''))
        OR NOT EXISTS (SELECT 1 FROM custody_entries c WHERE c.ref = i.request AND c.code = 'out' AND c.quantity = -i.units)) ${MOST}`),
    readFindings(sql`
      SELECT 'Request ' || e.request || ' was completed by the system without a confirmed payout' AS finding
      FROM request_events e
      WHERE e.request IN (${requests}) AND e.status = 'completed' AND e.actor = 'system' AND NOT EXISTS (
        SELECT 1 FROM payout_items i JOIN payouts p ON p.id = i.payout AND p.state = 'confirmed' WHERE i.request = e.request) ${MOST}`),
    readFindings(sql`
      SELECT 'Payout ' || p.id || ' was mined and has no network fee in custody' AS finding
      FROM payout_items i JOIN payouts p ON p.id = i.payout AND p.state IN ('confirmed', 'failed')
      WHERE i.request IN (${requests})
        AND NOT EXISTS (SELECT 1 FROM custody_entries c WHERE c.ref = p.id AND c.code = 'network_fee') ${MOST}`),
  ]
}

/** Checks that bonuses approved by two operators or earned by an invitation since a time (epoch milliseconds) were posted. */
export function findInBonuses(sinceMs: number): RowQuery<Finding>[] {
  return [
    readFindings(sql`
      SELECT 'Bonus ' || p.id || ' was approved and not granted' AS finding
      FROM proposals p WHERE p.status = 'approved' AND p.kind = 'bonus' AND p.decided_at >= ${sinceMs}
        AND NOT EXISTS (SELECT 1 FROM transfers t WHERE t.ref = p.id AND t.code = 'bonus' AND t.amount = p.amount) ${MOST}`),
    readFindings(sql`
      SELECT 'Bonus ' || b.id || ' was earned by an invitation and not posted' AS finding
      FROM referral_bonuses b WHERE b.granted_at >= ${sinceMs}
        AND NOT EXISTS (SELECT 1 FROM transfers t WHERE t.ref = b.id AND t.code = 'bonus' AND t.amount = b.amount) ${MOST}`),
  ]
}

/**
 * Checks investors' strategies: positions equal their unit movements at the cost in the books, so does the state after each movement,
 * and orders match their movements and transfers. `owners` selects ids.
 */
export function findInPositions(owners: SQL): RowQuery<Finding>[] {
  const sumMovedSql = (what: SQL) => sql`(
    SELECT coalesce(sum(${what}), 0) FROM unit_movements m WHERE m.investor = p.investor AND m.strategy = p.strategy)`
  const units = sumMovedSql(sql`m.units`)
  const cost = sumMovedSql(sql`iif(m.code = 'issue', m.cost, -m.cost)`)
  return [
    readFindings(sql`
      SELECT 'Position ' || p.investor || ' in ' || p.strategy || ' has ' || p.units || ' units for ' || p.cost || ', its movements say '
        || ${units} || ' for ' || ${cost} AS finding
      FROM positions p WHERE p.investor IN (${owners}) AND (p.units <> ${units} OR p.cost <> ${cost}) ${MOST}`),
    readFindings(sql`
      SELECT 'Position ' || p.investor || ' in ' || p.strategy || ' cost ' || p.cost || ', the books say ' || coalesce(a.balance, 0)
        AS finding
      FROM positions p LEFT JOIN accounts a ON a.id = p.investor || ':invested:' || p.strategy
      WHERE p.investor IN (${owners}) AND p.cost IS NOT coalesce(a.balance, 0) ${MOST}`),
    readFindings(sql`
      SELECT 'The position ' || investor || ' in ' || strategy || ' after movement ' || seq || ' is not that of its movements' AS finding
      FROM (
        SELECT m.investor, m.strategy, m.seq, h.units AS units, h.cost AS cost, sum(m.units) OVER earlier AS moved,
          sum(iif(m.code = 'issue', m.cost, -m.cost)) OVER earlier AS paid
        FROM unit_movements m LEFT JOIN position_history h
          ON h.investor = m.investor AND h.strategy = m.strategy AND h.at = m.at AND h.seq = m.seq
        WHERE m.investor IN (${owners})
        WINDOW earlier AS (PARTITION BY m.investor, m.strategy ORDER BY m.at, m.seq ROWS UNBOUNDED PRECEDING))
      WHERE (units, cost) IS NOT (moved, paid) ${MOST}`),
    readFindings(sql`
      SELECT 'Order ' || o.id || ' is ' || o.status || ' without what that posts' AS finding
      FROM unit_orders o LEFT JOIN unit_movements m ON m.ref = o.id
      WHERE o.investor IN (${owners}) AND (
        (o.status = 'settled') <> (m.ref IS NOT NULL)
        OR (o.kind = 'allocate') <> EXISTS (SELECT 1 FROM transfers t WHERE t.ref = o.id AND t.code = 'allocate')
        OR (o.kind = 'allocate' AND o.status = 'cancelled')
          <> EXISTS (SELECT 1 FROM transfers t WHERE t.ref = o.id AND t.code = 'deallocate')) ${MOST}`),
  ]
}

/** Checks pools: all investors' positions together equal the pool's entries. */
export function findInPools(): RowQuery<Finding>[] {
  const sumEnteredSql = (what: SQL) =>
    sql`(SELECT coalesce(sum(${what}), 0) FROM pool_entries e WHERE e.strategy = p.strategy)`
  const held = sql`(SELECT coalesce(sum(units), 0) FROM positions WHERE strategy = p.strategy)`
  const bought = sql`(
    SELECT coalesce(sum(e.quantity), 0) FROM pool_entries e WHERE e.strategy = h.strategy AND e.asset = h.asset)`
  return [
    readFindings(sql`
      SELECT 'Pool ' || p.strategy || ' has ' || p.units || ' units, investors hold ' || ${held} AS finding
      FROM pools p WHERE p.units <> ${held} ${MOST}`),
    readFindings(sql`
      SELECT 'Pool ' || p.strategy || ' has ' || p.cash || ' and ' || p.units || ' units, its entries say ' || ${sumEnteredSql(sql`cash`)}
        || ' and ' || ${sumEnteredSql(sql`units`)} AS finding
      FROM pools p WHERE p.cash <> ${sumEnteredSql(sql`cash`)} OR p.units <> ${sumEnteredSql(sql`units`)} ${MOST}`),
    readFindings(sql`
      SELECT 'Pool ' || h.strategy || ' holds ' || h.quantity || ' of ' || h.asset || ', its entries say ' || ${bought} AS finding
      FROM pool_holdings h WHERE h.quantity <> ${bought} ${MOST}`),
  ]
}

/** Checks for pools that owe their broker although no order of an earlier day is left to settle. Such a day cannot end. */
export function findInDebts(): RowQuery<Finding>[] {
  return [
    readFindings(sql`
      SELECT 'Pool ' || p.strategy || ' owes its broker ' || -p.cash || ' micro-USD, and its day cannot end' AS finding
      FROM pools p WHERE p.cash < 0 AND NOT EXISTS (
        SELECT 1 FROM unit_orders o WHERE o.strategy = p.strategy AND o.status = 'pending' AND o.created_at < (
          SELECT v.day FROM valuations v WHERE v.strategy = p.strategy ORDER BY v.day DESC LIMIT 1)) ${MOST}`),
  ]
}
