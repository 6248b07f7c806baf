import type { ConditionsOfFile } from './condition.ts'

/** Deposits, open requests, destinations, wallets, referrals, statements, liabilities. */
export const MONEY_CONDITIONS: readonly ConditionsOfFile[] = [
  {
    file: 'worker/money/requests/limits.ts',
    tests: [
      'worker/money/deposits/request.worker.test.ts',
      'worker/money/requests/limits.worker.test.ts',
      'worker/money/withdrawals/minimum.worker.test.ts',
      'worker/money/deposits/minimum.worker.test.ts',
    ],
    changes: [
      {
        name: 'least-amount-refused',
        find: 'return amountCents < least ?',
        replace: 'return amountCents <= least ?',
      },
      {
        name: 'network-minimum-ignored',
        find: 'Math.max(general, getMinimum(rows, network))\n  return amountCents',
        replace: 'general\n  return amountCents',
      },
      {
        name: 'one-open-request-too-many',
        find: '>= MAX_OPEN_REQUESTS',
        replace: '> MAX_OPEN_REQUESTS',
        equivalent: 'A trigger refuses with the same code.',
      },
      {
        name: 'credited-deposits-stay-open',
        find: "AND status IN ('pending', 'approved') AND NOT (queue = 'deposits' AND status = 'approved')`)",
        replace: "AND status IN ('pending', 'approved')`)",
      },
      {
        name: 'approved-withdrawals-are-not-open',
        find: "AND status IN ('pending', 'approved') AND NOT",
        replace: "AND status IN ('pending') AND NOT",
      },
    ],
  },
  {
    file: 'worker/money/requests/cancel.ts',
    tests: ['worker/money/withdrawals/cancel.worker.test.ts', 'worker/money/deposits/cancel.worker.test.ts'],
    changes: [
      {
        name: 'cancel-anybodys-request',
        find: '          eq(requests.investor, call.actor.id),\n',
        replace: '',
      },
      { name: 'cancel-in-the-other-queue', find: '          eq(requests.queue, queue),\n', replace: '' },
      {
        name: 'cancel-a-decided-request',
        find: "  if (request.status !== 'pending') refuse('not_pending')\n",
        replace: '',
        equivalent: 'A trigger refuses with a code that becomes the same answer.',
      },
      {
        name: 'parallel-cancel-in-other-words',
        find: "    if (code === 'already_decided') refuse('not_pending')\n",
        replace: '',
      },
    ],
  },
  {
    file: 'worker/money/requests/references.ts',
    tests: [
      'worker/console/deposits/approve.worker.test.ts',
      'worker/console/withdrawals/decide.worker.test.ts',
      'worker/console/cases/search.worker.test.ts',
    ],
    changes: [
      {
        name: 'outputs-of-a-used-transaction',
        find: 'whole === key ? isTransaction(key) :',
        replace: `whole === key ? sql\`reference_key = \${key}\` :`,
      },
      {
        name: 'whole-transaction-of-a-used-output',
        find: `sql\`reference_key IN (\${key}, \${whole})\``,
        replace: `sql\`reference_key IN (\${key})\``,
        equivalent:
          'It only decides which refusal comes first: request_events_payment_once has the same rule.',
      },
    ],
  },
  {
    file: 'worker/money/deposits/request.ts',
    tests: ['worker/money/deposits/request.worker.test.ts', 'worker/money/deposits/minimum.worker.test.ts'],
    changes: [
      {
        name: 'deposit-below-the-minimum',
        find: '    tooSmall !== null ||\n',
        replace: '',
      },
      {
        name: 'deposit-with-a-malformed-reference',
        find: '    paid.problem !== null ||\n',
        replace: '',
      },
      {
        name: 'many-open-deposits',
        find: '  assertMayOpen(open)\n',
        replace: '',
        equivalent: 'A trigger refuses with the same code.',
      },
      {
        name: 'deposit-to-a-retired-wallet',
        find: `WHERE \${isOffered()} ORDER BY seq`,
        replace: 'ORDER BY seq',
      },
      {
        name: 'deposit-to-a-wallet-of-another-coin',
        find: 'to.coin === body.type && to.address',
        replace: 'to.address',
      },
      {
        name: 'deposit-on-another-network',
        find: "['', to.network].includes(body.network ?? '')",
        replace: "body.network !== 'none'",
      },
    ],
  },
  {
    file: 'worker/money/wallets/wallets.ts',
    tests: ['worker/money/wallets/wallets.worker.test.ts', 'worker/console/wallets/wallets.worker.test.ts'],
    changes: [
      {
        name: 'simulated-wallet-in-live-mode',
        find: "mode === 'live' ? sql`retired_at IS NULL AND simulated = 0`",
        replace: "mode === 'live' ? sql`retired_at IS NULL`",
      },
      {
        name: 'picture-of-a-retired-wallet',
        find: `WHERE id = \${id} AND retired_at IS NULL`,
        replace: `WHERE id = \${id}`,
      },
      {
        name: 'simulated-wallet-takes-payments',
        find: 'wallet.simulated ? SEND_NOTHING : wallet.address',
        replace: 'wallet.address',
      },
    ],
  },
  {
    file: 'worker/money/destinations/check.ts',
    tests: ['worker/money/destinations/check.worker.test.ts'],
    changes: [
      {
        name: 'factor-seems-to-end-a-delay',
        find: '!isKnown && canLiftDelay',
        replace: 'canLiftDelay',
      },
      {
        name: 'destination-of-anybody-checked',
        find: `WHERE investor = \${actor.id} AND destination_hash = \${hash}`,
        replace: `WHERE \${actor.id} <> '' AND destination_hash = \${hash}`,
      },
      {
        name: 'malformed-destination-checked',
        find: '  if (Object.keys(problems).length > 0) refuseFields(problems)\n',
        replace: '',
      },
    ],
  },
  {
    file: 'worker/money/destinations/addresses.ts',
    tests: ['worker/money/destinations/addressBook.worker.test.ts'],
    changes: [
      {
        name: 'address-of-anybody',
        find: "and(eq(savedAddresses.id, params.id ?? ''), eq(savedAddresses.investor, actor.id))",
        replace: "eq(savedAddresses.id, params.id ?? '')",
      },
      {
        name: 'malformed-address-saved',
        find: '  if (Object.keys(destination.problems).length > 0) refuseFields(destination.problems)\n',
        replace: '',
      },
      { name: 'address-book-of-everybody', find: '        eq(investor, call.actor.id),\n', replace: '' },
    ],
  },
  {
    file: 'worker/money/referrals/grant.ts',
    tests: ['worker/money/referrals/referrals.worker.test.ts'],
    changes: [
      {
        name: 'bonus-for-an-unidentified-person',
        find: "AND i.kyc_status = 'approved' AND r.frozen_at IS NULL\n",
        replace: 'AND r.frozen_at IS NULL\n',
      },
      {
        name: 'bonus-to-a-frozen-account',
        find: "AND i.kyc_status = 'approved' AND r.frozen_at IS NULL\n",
        replace: "AND i.kyc_status = 'approved'\n",
      },
      {
        name: 'bonus-for-a-reversed-deposit',
        find: "d.status <> 'approved' OR r.closed_at",
        replace: 'r.closed_at',
      },
      {
        name: 'bonus-to-a-closed-account',
        find: 'OR r.closed_at IS NOT NULL OR',
        replace: 'OR',
      },
      {
        name: 'eleventh-bonus',
        find: `>= \${MOST_REFERRAL_BONUSES}`,
        replace: `> \${MOST_REFERRAL_BONUSES}`,
      },
      {
        name: 'bonus-granted-again',
        find: 'b.granted_at IS NULL AND b.lapsed_at IS NULL)',
        replace: 'b.lapsed_at IS NULL)',
      },
    ],
  },
  {
    file: 'worker/money/statements/statement.ts',
    tests: [
      'worker/money/statements/statements.worker.test.ts',
      'worker/money/statements/totals.worker.test.ts',
      'worker/money/statements/addsUp.worker.test.ts',
    ],
    changes: [
      {
        name: 'statement-without-its-last-moment',
        find: `AND t.at <= \${to}\n`,
        replace: `AND t.at < \${to}\n`,
      },
      {
        name: 'statement-without-its-first-moment',
        find: `sql\`t.at >= \${from}\``,
        replace: `sql\`t.at > \${from}\``,
      },
      {
        name: 'one-entry-too-many',
        find: 'if (rows.length > limit)',
        replace: 'if (rows.length > limit + 1)',
      },
      {
        name: 'statement-of-the-future',
        find: 'Math.min(call.query.to ?? nowMs, nowMs)',
        replace: 'call.query.to ?? nowMs',
      },
      {
        name: 'units-of-a-later-moment',
        find: `AND at <= \${atMs} ORDER BY at DESC, seq DESC`,
        replace: `AND at < \${atMs} ORDER BY at DESC, seq DESC`,
      },
      {
        name: 'page-repeats-its-last-entry',
        find: `(t.at, t.seq) > (\${last.at}, \${last.seq})`,
        replace: `(t.at, t.seq) >= (\${last.at}, \${last.seq})`,
      },
    ],
  },
  {
    file: 'worker/money/liabilities/publish.ts',
    tests: ['worker/money/liabilities/liabilities.worker.test.ts'],
    changes: [
      {
        name: 'too-few-investors-published',
        find: `WHERE investors >= max(1, \${smallest})`,
        replace: 'WHERE investors >= 1',
      },
      {
        name: 'least-investors-unpublished',
        find: `WHERE investors >= max(1, \${smallest})`,
        replace: `WHERE investors > max(1, \${smallest})`,
      },
      {
        name: 'incomplete-tree-published',
        find: 'top === null || top.sum !== total',
        replace: 'top === null',
      },
      {
        name: 'tree-without-a-closed-account-published',
        find: `first === investors ? 'all' : 'missing'`,
        replace: `'all'`,
      },
      {
        name: 'liabilities-published-twice-a-day',
        find: '  if (existing !== undefined) return null\n',
        replace: '',
        equivalent:
          'ON CONFLICT (day) DO NOTHING keeps the first of a day, so the second finds nothing to publish.',
      },
      {
        name: 'liabilities-without-allocating-money',
        find: "('available', 'held', 'allocating')",
        replace: "('available', 'held')",
      },
      {
        name: 'debts-lower-the-liabilities',
        find: ') WHERE balance > 0 GROUP BY owner`',
        replace: ') GROUP BY owner`',
        equivalent: 'The cash of an investor is never below zero, and an empty account adds a leaf of zero.',
      },
    ],
  },
]
