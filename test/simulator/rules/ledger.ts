import { none, noneSince, noneSinceTime, type Rule, type Rules } from './rule.ts'

/** Rules of the ledger. One of them goes on where the last check ended. */
export function ledgerRules(): Rules {
  return { ...LEDGER_RULES, balancesAreTheirTransfers: balances() }
}

/** SQL: the sum of the amounts with which an order of the debtor \`d.investor\` was pending when the debt \`d\` was made. */
const WAITED = `o.investor = d.investor AND o.created_at <= d.at AND coalesce(o.decided_at, d.at) >= d.at AND o.recovers IS NOT d.ref`

/**
 * Debts whose redemptions are missing or too small. Money set aside and other redemptions that are pending repay first. The rest comes
 * out of all positions that are not redeemed whole already, as far as these are worth it. Ten cents are for rounding.
 */
const REDEMPTIONS_OF_DEBTS = `
  WITH debts AS (
    SELECT t.seq, t.ref, t.at, f.owner AS investor, t.amount FROM transfers t JOIN accounts f ON f.id = t.from_account
    WHERE t.seq > ?1 AND t.code = 'overdraw'),
  rest AS (
    SELECT d.*, d.amount
      - (SELECT coalesce(sum(iif(t.code = 'allocate', t.amount, -t.amount)), 0) FROM transfers t
         WHERE t.seq < d.seq AND t.code IN ('allocate', 'deallocate', 'invest')
           AND iif(t.code = 'allocate', t.to_account, t.from_account) GLOB d.investor || ':allocating:*')
      - (SELECT coalesce(sum(o.cents), 0) FROM unit_orders o WHERE o.kind = 'redeem' AND ${WAITED}) AS cents
    FROM debts d),
  held AS (
    SELECT d.ref, m.strategy, sum(m.units) * 1e-10 * (
        SELECT v.unit_price FROM valuations v WHERE v.strategy = m.strategy AND v.recorded_at <= d.at
        ORDER BY v.day DESC, v.kind LIMIT 1) AS worth
    FROM debts d JOIN unit_movements m ON m.investor = d.investor AND m.at <= d.at
    WHERE NOT EXISTS (
      SELECT 1 FROM unit_orders o WHERE o.kind = 'redeem' AND o.strategy = m.strategy AND o.cents IS NULL AND ${WAITED})
    GROUP BY d.ref, m.strategy)
  SELECT d.ref, d.cents, sum(h.worth) AS worth FROM rest d JOIN held h ON h.ref = d.ref
  WHERE d.cents > 0 GROUP BY d.ref
  HAVING min(d.cents, sum(h.worth)) - 10 > (
    SELECT coalesce(sum(coalesce(o.cents, h.worth)), 0) FROM unit_orders o JOIN held h ON h.ref = d.ref AND h.strategy = o.strategy
    WHERE o.recovers = d.ref AND o.investor = d.investor)`

const LEDGER_RULES: Rules = {
  /** Each investor's accounts sum to zero. */
  trialBalance: none(`
    SELECT owner, sum(balance) AS sum FROM accounts GROUP BY owner HAVING sum(balance) <> 0`),

  /** Nobody has less than nothing. */
  nobodyBelowZero: none(`
    SELECT id, balance FROM accounts
    WHERE (kind IN ('available', 'held', 'allocating', 'invested', 'paid_out') AND balance < 0)
      OR (kind IN ('paid_in', 'granted', 'owed') AND balance > 0)`),

  /** Nobody owes money while money is available: every inflow repays first. */
  debtsAreRepaidFirst: none(`
    SELECT o.owner, o.balance, a.balance AS available FROM accounts o JOIN accounts a ON a.id = o.owner || ':available'
    WHERE o.kind = 'owed' AND o.balance < 0 AND a.balance > 0`),

  /** Every transfer has a cause of the right kind, state, person and amount. */
  everyTransferHasItsCause: noneSince(
    'transfers',
    `SELECT t.id, t.code, t.amount FROM transfers t
    JOIN accounts f ON f.id = t.from_account JOIN accounts g ON g.id = t.to_account
    LEFT JOIN requests r ON r.id = t.ref
    LEFT JOIN proposals p ON p.id = t.ref
    LEFT JOIN referral_bonuses b ON b.id = t.ref
    LEFT JOIN unit_orders o ON o.id = t.ref
    LEFT JOIN unit_movements m ON m.ref = t.ref
    WHERE t.seq > ?1 AND (g.owner <> f.owner OR NOT coalesce(CASE t.code
      WHEN 'credit' THEN r.kind = 'deposit' AND r.status IN ('approved', 'reversed') AND r.investor = f.owner AND r.amount = t.amount
      WHEN 'hold' THEN r.queue = 'withdrawals' AND r.investor = f.owner AND r.amount = t.amount
      WHEN 'release' THEN r.queue = 'withdrawals' AND r.status IN ('cancelled', 'rejected') AND r.investor = f.owner
        AND r.amount = t.amount
      WHEN 'complete' THEN r.queue = 'withdrawals' AND r.status IN ('completed', 'reversed') AND r.investor = f.owner
        AND r.amount = t.amount
      WHEN 'reverse_credit' THEN r.kind = 'deposit' AND r.status = 'reversed' AND r.investor = f.owner AND r.amount = t.amount
      WHEN 'reverse_payout' THEN r.queue = 'withdrawals' AND r.status = 'reversed' AND r.investor = f.owner
        AND r.amount = t.amount
      WHEN 'overdraw' THEN (r.kind = 'deposit' AND r.status = 'reversed' AND r.investor = f.owner AND t.amount <= r.amount)
        OR (b.reversed_at IS NOT NULL AND b.referrer = f.owner AND t.amount <= b.amount)
      WHEN 'reverse_bonus' THEN b.reversed_at IS NOT NULL AND b.referrer = f.owner AND b.amount = t.amount
      WHEN 'repay' THEN coalesce(r.investor, p.investor, b.referrer, o.investor) = f.owner
      WHEN 'bonus' THEN (p.kind = 'bonus' AND p.status = 'approved' AND p.decided_by <> p.proposed_by
          AND p.investor = f.owner AND p.amount = t.amount)
        OR (b.granted_at IS NOT NULL AND b.referrer = f.owner AND b.amount = t.amount)
      WHEN 'allocate' THEN o.kind = 'allocate' AND o.investor = f.owner AND o.cents = t.amount
      WHEN 'deallocate' THEN o.kind = 'allocate' AND o.status = 'cancelled' AND o.investor = f.owner AND o.cents = t.amount
      WHEN 'invest' THEN o.kind = 'allocate' AND o.status = 'settled' AND o.investor = f.owner AND o.cents = t.amount
      WHEN 'redeem' THEN m.code <> 'issue' AND m.investor = f.owner AND t.amount = min(m.cost, m.cents)
      WHEN 'gain' THEN m.code <> 'issue' AND m.investor = f.owner AND t.amount = m.cents - m.cost
      WHEN 'lose' THEN m.code <> 'issue' AND m.investor = f.owner AND t.amount = m.cost - m.cents
      WHEN 'fee' THEN m.code = 'fee' AND m.investor = f.owner AND t.amount = m.cents
      WHEN 'forfeit' THEN m.code = 'redeem' AND m.investor = f.owner AND t.amount <= m.cents - m.cost
      END, 0))`,
  ),

  /** A cause moves money once. */
  nothingMovesTwice: noneSince(
    'transfers',
    `SELECT t.ref, t.code FROM transfers t
    WHERE t.seq > ?1 AND (SELECT count(*) FROM transfers o WHERE o.ref = t.ref AND o.code = t.code) > 1`,
  ),

  /** Each decision about a request moved its money in the same moment. */
  everyDecisionMovesItsMoney: noneSinceTime(`
    SELECT d.request, d.status, d.code FROM (
      SELECT e.request, e.status, CASE
        WHEN r.queue = 'deposits' AND e.status = 'approved' THEN 'credit'
        WHEN r.queue = 'deposits' AND e.status = 'reversed' THEN 'reverse_credit'
        WHEN r.queue = 'withdrawals' AND e.status = 'pending' THEN 'hold'
        WHEN r.queue = 'withdrawals' AND e.status = 'completed' THEN 'complete'
        WHEN r.queue = 'withdrawals' AND e.status IN ('cancelled', 'rejected') THEN 'release'
        WHEN r.queue = 'withdrawals' AND e.status = 'reversed' THEN 'reverse_payout'
        END AS code
      FROM request_events e JOIN requests r ON r.id = e.request WHERE e.at > ?1) d
    WHERE d.code IS NOT NULL AND NOT EXISTS (SELECT 1 FROM transfers t WHERE t.ref = d.request AND t.code = d.code)`),

  /** Money is held for open withdrawals and nothing else. */
  heldIsWhatIsPending: none(`
    SELECT a.id, a.balance, coalesce(sum(r.amount), 0) AS pending FROM accounts a
    LEFT JOIN requests r ON r.investor = a.owner AND r.queue = 'withdrawals' AND r.status IN ('pending', 'approved')
      AND NOT (r.queue = 'deposits' AND r.status = 'approved')
    WHERE a.kind = 'held' GROUP BY a.id HAVING a.balance <> coalesce(sum(r.amount), 0)`),

  /** Money is set aside for pending orders and nothing else. */
  allocatingIsWhatIsOrdered: none(`
    SELECT a.id, a.balance, coalesce(sum(o.cents), 0) AS ordered FROM accounts a
    LEFT JOIN unit_orders o ON o.investor = a.owner AND o.strategy = a.subject AND o.kind = 'allocate' AND o.status = 'pending'
    WHERE a.kind = 'allocating' GROUP BY a.id HAVING a.balance <> coalesce(sum(o.cents), 0)`),

  /** Of what repaid a debt, the company keeps the share of the gain. It never was the debtor's money. */
  forfeitsFollowDebts: noneSince(
    'unit_movements',
    `SELECT m.ref, m.cents, m.cost, r.amount FROM unit_movements m JOIN transfers r ON r.ref = m.ref AND r.code = 'repay'
    WHERE m.seq > ?1 AND m.code = 'redeem'
      AND 1 < abs(max(0, min(m.cents - r.amount, (m.cents - m.cost) * 1.0 * r.amount / max(m.cost, 1)))
        - (SELECT coalesce(sum(amount), 0) FROM transfers t WHERE t.ref = m.ref AND t.code = 'forfeit'))`,
  ),

  /** Reversed money that was invested comes back: the redemptions of the debt are filed in the same moment. */
  reversalsFileRedemptions: noneSince('transfers', REDEMPTIONS_OF_DEBTS),

  /** A payment is credited or paid once. */
  noPaymentTwice: noneSinceTime(`
    SELECT e.reference_key FROM request_events e JOIN requests r ON r.id = e.request
    WHERE e.at > ?1 AND e.reference_key IS NOT NULL AND r.status <> 'reversed' AND EXISTS (
      SELECT 1 FROM request_events o JOIN requests s ON s.id = o.request
      WHERE o.reference_key = e.reference_key AND o.request <> e.request AND s.status <> 'reversed')`),
}

interface Moved {
  readonly seq: number
  readonly from: string
  readonly to: string
  readonly amount: number
}

/** A balance is the sum of its transfers. */
function balances(): Rule {
  const sums = new Map<string, number>()
  let last = 0
  const move = (account: string, cents: number) => sums.set(account, (sums.get(account) ?? 0) + cents)
  return async ({ world: { database } }) => {
    const moved = await database.rows<Moved>(
      'SELECT seq, from_account AS "from", to_account AS "to", amount FROM transfers WHERE seq > ?1 ORDER BY seq',
      last,
    )
    for (const { seq, from, to, amount } of moved) {
      last = seq
      move(from, -amount)
      move(to, amount)
    }
    const accounts = await database.rows<{ id: string; balance: number }>('SELECT id, balance FROM accounts')
    const wrong = accounts.find(({ id, balance }) => balance !== (sums.get(id) ?? 0))
    return wrong === undefined ? null : `${wrong.id} has ${wrong.balance}, and got ${sums.get(wrong.id) ?? 0}`
  }
}
