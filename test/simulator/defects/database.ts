import type { Defect } from './defect.ts'

/** Triggers and views of the migrations, where the Worker does not check the same. */
export const DATABASE_DEFECTS: readonly Defect[] = [
  {
    name: 'payout-limit-of-an-hour',
    harm: 'One operator pays an investor more than $5,000 a day, hour by hour.',
    file: 'migrations/0005_requests.sql',
    find: "status = 'completed' AND at > NEW.at - 86400000",
    replace: "status = 'completed' AND at > NEW.at - 3600000",
  },
  {
    name: 'payout-limit-in-dollars',
    harm: 'One operator alone pays up to $500,000.',
    file: 'migrations/0005_requests.sql',
    find: `          AND second_operator IS NULL
      ) > coalesce((SELECT CAST(value AS INTEGER) FROM settings WHERE key = 'twoPersonLimit'), 500000);`,
    replace: `          AND second_operator IS NULL
      ) > 100 * coalesce((SELECT CAST(value AS INTEGER) FROM settings WHERE key = 'twoPersonLimit'), 500000);`,
  },
  {
    name: 'own-ceiling-of-an-hour',
    harm: 'One operator alone pays any amount in a day.',
    file: 'migrations/0005_requests.sql',
    find: `AND t.operator = NEW.actor
          AND t.hour >= min(max(NEW.at / 3600000, h.hour_of_filing), h.hour_now) - 24`,
    replace: `AND t.operator = NEW.actor
          AND t.hour >= min(max(NEW.at / 3600000, h.hour_of_filing), h.hour_now)`,
  },
  {
    name: 'crediting-operator-pays',
    harm: 'One operator invents a deposit and pays it out.',
    file: 'migrations/0005_requests.sql',
    find: 'WHERE EXISTS (SELECT 1 FROM credited_by WHERE investor = NEW.investor AND operator = NEW.actor)',
    replace: 'WHERE 0',
  },
  {
    name: 'identifying-operator-pays',
    harm: 'One operator invents an investor and pays them.',
    file: 'migrations/0005_requests.sql',
    find: "WHERE user_id = NEW.investor AND +status = 'approved' AND decided_by = NEW.actor);",
    replace: "WHERE user_id = NEW.investor AND +status = 'pending' AND decided_by = NEW.actor);",
  },
  {
    name: 'second-approval-forgotten',
    harm: 'The second operator of an invented deposit pays it out alone.',
    file: 'migrations/0005_requests.sql',
    find: 'SELECT investor, second_operator FROM request_events',
    replace: 'SELECT investor, actor FROM request_events',
  },
  {
    name: 'reference-of-a-payment-used-again',
    harm: 'One payment is credited to two investors.',
    file: 'migrations/0005_requests.sql',
    find: "WHERE e.reference_key IS NOT NULL AND r.status <> 'reversed';",
    replace: "WHERE e.reference_key IS NOT NULL AND r.status = 'completed';",
  },
  {
    name: 'lock-leaves-withdrawals-pending',
    harm: 'What a thief asked for is still paid after its owner locked the account.',
    file: 'migrations/0007_withdrawals.sql',
    find: "('account_locked', 'The account was locked by its owner', 1, 7)",
    replace: "('account_locked', 'The account was locked by its owner', 0, 7)",
    tests: ['worker/ledger/stopPayouts.worker.test.ts'],
  },
  {
    name: 'redemption-repays-no-debt',
    harm: 'Who owes money takes the proceeds of a redemption out.',
    file: 'migrations/0012_allocations.sql',
    find: "a.balance < 0 AND NEW.code = 'redeem' AND NEW.cents > 0;",
    replace: "a.balance < 0 AND NEW.code = 'issue' AND NEW.cents > 0;",
  },
  {
    name: 'debt-files-no-redemption',
    harm: 'Money whose payment was called back stays invested for as long as the debtor likes.',
    file: 'migrations/0012_allocations.sql',
    find: "WHEN NEW.code = 'overdraw'",
    replace: "WHEN NEW.code = 'overdrawn'",
  },
  {
    name: 'debtor-keeps-the-gain',
    harm: 'Somebody invests money that was never paid, and keeps what it gained.',
    file: 'migrations/0012_allocations.sql',
    find: "r.ref = NEW.ref AND r.code = 'repay' AND NEW.code = 'redeem')\n    WHERE amount > 0;",
    replace: "r.ref = NEW.ref AND r.code = 'repay' AND NEW.code = 'redeem')\n    WHERE amount < 0;",
  },
  {
    name: 'wallet-counts-reversed-credits',
    harm: 'The total of a receiving address still counts what was reversed.',
    file: 'migrations/0005_requests.sql',
    find: "deposits = deposits + (NEW.status = 'approved') - (NEW.status = 'reversed'),",
    replace: "deposits = deposits + (NEW.status = 'approved'),",
  },
]
