import type { World } from './lane/world.ts'
import { Broken } from './watch.ts'

/** A rule that holds at every moment. Returns what breaks it, or null. It reads the database past the Worker. */
export type Rule = (world: World) => Promise<string | null>

/** Rows of a query that must find none. */
function none(sql: string): Rule {
  return async ({ database }) => {
    const rows = await database.rows(sql)
    return rows.length === 0 ? null : JSON.stringify(rows.slice(0, 3))
  }
}

/** The rules by name. What the people see themselves is checked where they see it: `people/`. */
const RULES: Readonly<Record<string, Rule>> = {
  trialBalance: none(`
    SELECT owner, sum(balance) AS sum FROM accounts GROUP BY owner HAVING sum(balance) <> 0`),

  balancesAreTheirTransfers: none(`
    WITH moved AS (
      SELECT account, sum(amount) AS balance FROM (
        SELECT to_account AS account, amount FROM transfers
        UNION ALL SELECT from_account, -amount FROM transfers)
      GROUP BY account)
    SELECT a.id, a.balance, m.balance AS moved FROM accounts a LEFT JOIN moved m ON m.account = a.id
    WHERE a.balance <> coalesce(m.balance, 0)`),

  nobodyBelowZero: none(`
    SELECT id, balance FROM accounts
    WHERE (kind IN ('available', 'held', 'allocating', 'invested', 'paid_out') AND balance < 0)
      OR (kind IN ('paid_in', 'granted', 'owed') AND balance > 0)`),

  everyCreditIsADecidedDeposit: none(`
    SELECT t.id FROM transfers t LEFT JOIN requests r ON r.id = t.ref
    WHERE t.code = 'credit' AND (r.kind IS NOT 'deposit' OR r.status NOT IN ('approved', 'reversed') OR r.amount <> t.amount
      OR t.to_account <> r.investor || ':available')`),

  everyPayoutIsADecidedWithdrawal: none(`
    SELECT t.id FROM transfers t LEFT JOIN requests r ON r.id = t.ref
    WHERE t.code = 'complete' AND (r.queue IS NOT 'withdrawals' OR r.status NOT IN ('completed', 'reversed')
      OR r.amount <> t.amount OR t.from_account <> r.investor || ':held')`),

  everyCreditedDepositHasItsMoney: none(`
    SELECT id FROM requests WHERE queue = 'deposits' AND status = 'approved'
      AND id NOT IN (SELECT ref FROM transfers WHERE code = 'credit')`),

  noCreditOrPayoutTwice: none(`
    SELECT ref, code, count(*) AS times FROM transfers WHERE code IN ('credit', 'complete')
    GROUP BY ref, code HAVING count(*) > 1`),

  noPaymentCreditedTwice: none(`
    SELECT reference_key, count(*) AS times FROM references_in_force GROUP BY reference_key HAVING count(*) > 1`),

  heldIsWhatIsPending: none(`
    SELECT a.id, a.balance, coalesce(sum(r.amount), 0) AS pending FROM accounts a
    LEFT JOIN requests r ON r.investor = a.owner AND r.queue = 'withdrawals' AND r.status IN ('pending', 'approved')
    WHERE a.kind = 'held' GROUP BY a.id HAVING a.balance <> coalesce(sum(r.amount), 0)`),

  custodyIsItsEntries: none(`
    SELECT b.asset, b.balance, coalesce(sum(e.quantity), 0) AS moved FROM custody_balances b
    LEFT JOIN custody_entries e ON e.asset = b.asset GROUP BY b.asset HAVING b.balance <> coalesce(sum(e.quantity), 0)`),

  everyCreditBroughtCustody: none(`
    SELECT t.ref FROM transfers t WHERE t.code = 'credit'
      AND NOT EXISTS (SELECT 1 FROM custody_entries e WHERE e.ref = t.ref AND e.code = 'in' AND e.quantity > 0)`),

  largePayoutsTakeTwo: none(`
    SELECT e.request FROM request_events e JOIN requests r ON r.id = e.request
    JOIN request_events a ON a.request = e.request AND a.status = 'approved'
    WHERE r.queue = 'withdrawals' AND e.status = 'completed' AND r.amount > 500000 AND a.actor = e.actor`),

  largeCreditsTakeTwo: none(`
    SELECT e.request FROM request_events e JOIN requests r ON r.id = e.request
    WHERE r.queue = 'deposits' AND e.status = 'approved' AND (r.amount > 500000 OR r.amount > r.asked)
      AND (e.second_operator IS NULL OR e.second_operator = e.actor)`),

  ownCeilingHolds: none(`
    WITH alone AS (
      SELECT e.actor, e.at, r.queue, r.amount FROM request_events e JOIN requests r ON r.id = e.request
      LEFT JOIN request_events a ON a.request = e.request AND a.status = 'approved' AND r.queue = 'withdrawals'
      WHERE (r.queue = 'deposits' AND e.status = 'approved' AND e.second_operator IS NULL)
        OR (r.queue = 'withdrawals' AND e.status = 'completed' AND a.actor = e.actor))
    SELECT one.actor, one.queue, sum(other.amount) AS sum FROM alone one
    JOIN alone other ON other.actor = one.actor AND other.queue = one.queue
      AND other.at > one.at - 86400000 AND other.at <= one.at
    GROUP BY one.actor, one.queue, one.at HAVING sum(other.amount) > 2500000`),

  nobodyApprovesTheirOwnProposal: none(`
    SELECT id FROM proposals WHERE status = 'approved' AND decided_by = proposed_by`),

  poolUnitsAreThePositions: none(`
    SELECT p.strategy, p.units, coalesce(sum(o.units), 0) AS owned FROM pools p
    LEFT JOIN positions o ON o.strategy = p.strategy GROUP BY p.strategy HAVING p.units <> coalesce(sum(o.units), 0)`),

  poolIsItsEntries: none(`
    SELECT p.strategy, p.cash, coalesce(sum(e.cash), 0) AS moved FROM pools p
    LEFT JOIN pool_entries e ON e.strategy = p.strategy GROUP BY p.strategy
    HAVING p.cash <> coalesce(sum(e.cash), 0) OR p.units <> coalesce(sum(e.units), 0)`),

  unitsTimesPriceIsThePool: none(`
    SELECT v.strategy, v.day FROM valuations v
    JOIN (SELECT strategy, max(day) AS day FROM valuations GROUP BY strategy) l ON l.strategy = v.strategy AND l.day = v.day
    WHERE v.units > 0 AND v.units / 1000000.0 * v.unit_price > v.net_value + 1000000`),

  investedIsTheCostOfUnits: none(`
    SELECT a.owner, a.subject, a.balance, p.cost FROM accounts a
    LEFT JOIN positions p ON p.investor = a.owner AND p.strategy = a.subject
    WHERE a.kind = 'invested' AND a.balance <> coalesce(p.cost, 0)`),

  newDestinationsWait: none(`
    SELECT r.id FROM requests r JOIN withdrawal_details d ON d.request = r.id
    JOIN request_events e ON e.request = r.id AND e.status = 'completed'
    WHERE e.at < 86400000 + (
      SELECT min(o.created_at) FROM requests o JOIN withdrawal_details od ON od.request = o.id
      WHERE o.investor = r.investor AND od.destination_hash = d.destination_hash)`),

  // The check of the schema is left out: it would find every planted change of a trigger by its text alone.
  noSelfCheckFails: none(`SELECT name, finding FROM self_checks WHERE ok = 0 AND name <> 'schema'`),

  noSecretInLogs: async ({ logs }) =>
    logs.find((line) => /correct-horse|Bearer |verificationToken|AGE-SECRET|"code":"\d{6}"/.test(line)) ??
    null,
}

/** Checks all rules. Throws `Broken` for the first broken one. */
export async function checkRules(world: World): Promise<number> {
  for (const [name, rule] of Object.entries(RULES)) {
    const finding = await rule(world)
    if (finding !== null) throw new Broken(name, finding)
  }
  return Object.keys(RULES).length
}
