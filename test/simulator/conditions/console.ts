import type { ConditionsOfFile } from './condition.ts'

const APPROVAL = [
  'worker/console/deposits/approve.worker.test.ts',
  'worker/console/alone.worker.test.ts',
  'worker/console/deposits/revokeApproval.worker.test.ts',
  'worker/console/cases/frozen.worker.test.ts',
  'worker/identity/factors/actFactor.worker.test.ts',
  'worker/investing/market/oldPrices.worker.test.ts',
]

/** What operators decide about money: credits, payouts, proposals, freezes. */
export const CONSOLE_CONDITIONS: readonly ConditionsOfFile[] = [
  {
    file: 'worker/console/deposits/approve.ts',
    tests: APPROVAL,
    changes: [
      {
        name: 'raised-amount-alone',
        find: '      amountCents > deposit.asked ||\n',
        replace: '',
      },
      {
        name: 'own-ceiling-unread',
        find: '      isAboveOwnCeiling(alone, amountCents) ||\n',
        replace: '',
      },
      {
        name: 'unusual-quantity-alone',
        find: '      isAboveOwnCeiling(alone, amountCents) ||\n      isUnusual(arrived, amountCents)\n',
        replace: '      isAboveOwnCeiling(alone, amountCents)\n',
      },
      {
        name: 'credit-of-a-frozen-account',
        find: '  refuseFrozen(found.deposit)\n',
        replace: '',
      },
      {
        name: 'credit-of-a-decided-deposit',
        find: "  if (deposit.status !== 'pending') refuse('already_decided')\n  const units",
        replace: '  const units',
      },
      {
        name: 'first-approval-without-a-factor',
        find: '    await assertFactor(call, { amountCents }, () => assertReferenceFree(call, body.reference))\n    return takesTwo',
        replace: '    return takesTwo',
      },
      {
        name: 'second-approval-without-a-factor',
        find: '  await assertFactor(call, { amountCents }, () => assertReferenceFree(call, body.reference))\n  // One',
        replace: '  // One',
      },
      {
        name: 'second-approval-of-another-reference',
        find: '    deposit.firstReferenceKey !== toReferenceKey(body.reference) ||\n',
        replace: '',
      },
      {
        name: 'second-approval-of-another-amount',
        find: '    deposit.firstAmount !== amountCents ||\n',
        replace: '',
      },
      {
        name: 'second-approval-of-another-quantity',
        find: 'deposit.firstUnits !== units.toString()',
        replace: 'false',
      },
      {
        name: 'differing-approval-accepted',
        find: '  if (differs && !isOwn) return refuseMismatch(call, deposit, amountCents)\n',
        replace: '',
      },
      {
        name: 'overtaken-credit-not-retried',
        find: "if (code === 'conflict' || code === 'second_operator_required') return null",
        replace: "if (code === 'conflict') return null",
      },
      {
        name: 'overtaken-approval-not-retried',
        find: "if (code === 'conflict' || code === 'second_operator_required') return null",
        replace: "if (code === 'second_operator_required') return null",
      },
      {
        name: 'custody-overflows',
        find: 'units === null || custodyUnits + units > MOST_UNITS',
        replace: 'units === null',
      },
      {
        name: 'credit-without-a-quantity',
        find: "  if (quantity === undefined && rate === null) return refuseField('quantity', QUANTITY_MISSING)\n",
        replace: '  if (quantity === undefined && rate === null) return 1n\n',
      },
      {
        name: 'credit-above-the-announced-amount',
        find: 'return worth >= asked - 1 ? asked : Math.max(1, worth)',
        replace: 'return Math.max(1, worth)',
      },
      {
        name: 'usual-without-a-price',
        find: 'if (unitsAtRate === null) return true',
        replace: 'if (unitsAtRate === null) return false',
      },
      {
        name: 'two-percent-is-unusual',
        find: '(units - unitsAtRate) * TOLERANCE > unitsAtRate',
        replace: '(units - unitsAtRate) * TOLERANCE >= unitsAtRate',
      },
      {
        name: 'credit-above-its-worth-alone',
        find: 'unitsAtRate - units > (aCent > 1n ? aCent : 1n)',
        replace: 'false',
      },
    ],
  },
  {
    file: 'worker/console/deposits/reject.ts',
    tests: [
      'worker/console/deposits/approve.worker.test.ts',
      'worker/console/deposits/revokeApproval.worker.test.ts',
      'worker/console/deposits/queue.worker.test.ts',
    ],
    changes: [
      {
        name: 'approval-of-another-operator-withdrawn',
        find: 'if (firstBy !== actor.id)',
        replace: "if (firstBy === '')",
        equivalent: 'A trigger refuses with the same code. Only the sentence for the operator differs.',
      },
      {
        name: 'approval-withdrawn-after-the-credit',
        find: "  if (deposit.status !== 'pending') refuse('already_decided')\n  if (firstBy === null",
        replace: '  if (firstBy === null',
        equivalent: 'A trigger refuses with the same code.',
      },
    ],
  },
  {
    file: 'worker/console/withdrawals/decide.ts',
    tests: [
      'worker/console/withdrawals/decide.worker.test.ts',
      'worker/console/cases/frozen.worker.test.ts',
      'worker/ledger/debts.worker.test.ts',
      'worker/money/withdrawals/delay.worker.test.ts',
      'worker/identity/factors/actFactor.worker.test.ts',
    ],
    changes: [
      {
        name: 'approval-for-a-frozen-account',
        find: "    refuseFrozen(withdrawal)\n    if (withdrawal.status !== 'pending')",
        replace: "    if (withdrawal.status !== 'pending')",
        equivalent: 'A trigger refuses with the same code.',
      },
      {
        name: 'approval-of-a-decided-withdrawal',
        find: "  if (withdrawal.status !== 'pending') refuse('already_decided')\n",
        replace: '',
      },
      {
        name: 'approval-for-a-debtor',
        find: '    refuseDebtor(owedCents)\n    await assertFactor(call, act)\n',
        replace: '  await assertFactor(call, act)\n',
      },
      {
        name: 'approval-without-a-factor',
        find: '    refuseDebtor(owedCents)\n    await assertFactor(call, act)\n',
        replace: '  refuseDebtor(owedCents)\n',
      },
      {
        name: 'payout-of-a-frozen-account',
        find: '  refuseFrozen(withdrawal)\n  return',
        replace: '  return',
      },
      {
        name: 'payout-of-a-pending-withdrawal',
        find: "    if (status === 'pending')\n      refuse('already_decided', { msg: 'This withdrawal is still pending. Approve it before completing it.' })\n    if (status !== 'approved') refuse('already_decided')\n",
        replace: '',
      },
      {
        name: 'payout-to-a-debtor',
        find: '    refuseDebtor(owedCents)\n    const sent',
        replace: '    const sent',
      },
      {
        name: 'payout-without-a-factor',
        find: '    await assertFactor(call, act, () => assertPayable(call, withdrawal, reference))\n',
        replace: '',
      },
      {
        name: 'proof-asked-for-a-delayed-payout',
        find: "  if (heldUntil !== null && heldUntil > call.nowMs) refuse('destination_on_hold')\n",
        replace: '',
      },
      {
        name: 'approver-is-a-second-operator',
        find: 'approver === actor.id ? undefined : approver',
        replace: 'approver',
      },
      {
        name: 'payout-without-a-quantity',
        find: "  if (body.quantity === undefined && price === null) return refuseField('quantity', contract.QUANTITY_MISSING)\n",
        replace: '  if (body.quantity === undefined && price === null) return null\n',
      },
      {
        name: 'fee-that-custody-cannot-book',
        find: '  if (chain === undefined)\n    return refuseField(',
        replace: '  if (chain === undefined) return null\n  if (fee === undefined) return refuseField(',
      },
    ],
  },
  {
    file: 'worker/console/cases/alone.ts',
    tests: [
      'worker/console/alone.worker.test.ts',
      'worker/console/deposits/approve.worker.test.ts',
      'worker/console/dailyCeilings.worker.test.ts',
    ],
    changes: [
      {
        name: 'limit-itself-takes-two',
        find: 'facts.usedCents + amountCents > facts.limitCents',
        replace: 'facts.usedCents + amountCents >= facts.limitCents',
      },
      {
        name: 'earlier-credits-uncounted',
        find: 'facts.usedCents + amountCents > facts.limitCents',
        replace: 'amountCents > facts.limitCents',
      },
      {
        name: 'own-ceiling-itself-takes-two',
        find: 'facts.dayUsedCents + amountCents + countDueBonus(facts, amountCents) > facts.dayLimitCents',
        replace:
          'facts.dayUsedCents + amountCents + countDueBonus(facts, amountCents) >= facts.dayLimitCents',
      },
      {
        name: 'own-ceiling-of-one-credit',
        find: 'facts.dayUsedCents + amountCents + countDueBonus(facts, amountCents) > facts.dayLimitCents',
        replace: 'amountCents + countDueBonus(facts, amountCents) > facts.dayLimitCents',
      },
      {
        name: 'decisions-of-two-count-alone',
        find: `AND at > \${nowMs - DAY_MS} AND second_operator IS NULL)`,
        replace: `AND at > \${nowMs - DAY_MS})`,
      },
      {
        name: 'decisions-of-all-days-count',
        find: `AND at > \${nowMs - DAY_MS} AND second_operator IS NULL)`,
        replace: `AND at > 0 * \${nowMs} AND second_operator IS NULL)`,
      },
      {
        name: 'decisions-of-everybody-count',
        find: `WHERE investor = \${who} AND actor = \${operator} AND \${which}`,
        replace: `WHERE investor = \${who} AND \${operator} <> '' AND \${which}`,
      },
      {
        name: 'payer-who-credited-unnamed',
        find: "  if (credited !== 0) reasons.push('credited')\n",
        replace: '',
      },
      {
        name: 'payer-who-identified-unnamed',
        find: "  if (identified !== 0) reasons.push('identified')\n",
        replace: '',
      },
      {
        name: 'limit-unnamed',
        find: "  if (isAboveLimit(facts, amountCents)) reasons.push('limit')\n",
        replace: '',
      },
      {
        name: 'ceiling-unnamed',
        find: "  if (isAboveOwnCeiling(facts, amountCents)) reasons.push('daily_ceiling')\n",
        replace: '',
      },
    ],
  },
  {
    file: 'worker/console/cases/refusals.ts',
    tests: [
      'worker/ledger/debts.worker.test.ts',
      'worker/console/cases/frozen.worker.test.ts',
      'worker/console/withdrawals/decide.worker.test.ts',
      'worker/console/deposits/approve.worker.test.ts',
    ],
    changes: [
      {
        name: 'debt-of-a-cent-ignored',
        find: 'if (owedCents > 0)',
        replace: 'if (owedCents > 1)',
        equivalent: 'A trigger refuses every debt. Only the sentence for the operator differs.',
      },
      { name: 'freeze-unexplained', find: '  if (frozenAt !== null) refuseAsFrozen()\n', replace: '' },
      {
        name: 'used-reference-unexplained',
        find: "  if (used.length > 0) refuse('reference_used')\n",
        replace: '',
      },
    ],
  },
  {
    file: 'worker/console/proposals/decide.ts',
    tests: [
      'worker/console/proposals/proposals.worker.test.ts',
      'worker/identity/factors/actFactor.worker.test.ts',
      'worker/console/roles.worker.test.ts',
      'worker/console/races.worker.test.ts',
      'worker/console/operators/operators.worker.test.ts',
    ],
    changes: [
      {
        name: 'approval-of-a-decided-proposal',
        find: "  if (proposal.status !== 'pending') refuse('already_decided')\n    const act",
        replace: '  const act',
      },
      {
        name: 'own-proposal-approved',
        find: "  if (proposal.proposedBy === actor.id) refuse('second_operator_required')\n",
        replace: '',
      },
      { name: 'proposal-without-a-factor', find: '  await assertFactor(call, act)\n', replace: '' },
      { name: 'proposal-about-oneself', find: "  refuseOwn(call, proposal.operator ?? '')\n", replace: '' },
      {
        name: 'proposal-outside-the-role',
        find: '  assertRole(call.actor, ROLES_OF_PROPOSALS[proposal.kind])\n',
        replace: '',
      },
      {
        name: 'proposal-of-no-amount',
        find: 'return proposal.amount ?? request?.amount ?? 0',
        replace: 'return proposal.amount ?? 0 * (request?.amount ?? 0)',
      },
    ],
  },
  {
    file: 'worker/console/proposals/effect.ts',
    tests: ['worker/console/proposals/proposals.worker.test.ts', 'worker/console/races.worker.test.ts'],
    changes: [
      {
        name: 'reversal-of-a-pending-deposit',
        find: "status === (kind === 'deposit' ? 'approved' : 'completed')",
        replace: "kind === 'deposit' || status === 'completed'",
      },
      {
        name: 'reversal-of-an-approved-withdrawal',
        find: "status === (kind === 'deposit' ? 'approved' : 'completed')",
        replace: "status === 'approved' || status === 'completed'",
      },
      {
        name: 'reversal-twice',
        find: 'request === null || !isReversible(request)',
        replace: 'request === null',
      },
      {
        name: 'live-wallet-marked-as-simulated',
        find: "simulated: site.mode === 'simulated'",
        replace: "simulated: site.mode !== 'simulated'",
      },
    ],
  },
  {
    file: 'worker/console/proposals/propose.ts',
    tests: [
      'worker/console/proposals/proposals.worker.test.ts',
      'worker/console/strategies/strategies.worker.test.ts',
      'worker/console/roles.worker.test.ts',
    ],
    changes: [
      {
        name: 'reversal-of-nothing-proposed',
        find: '  if (!isReversible(request))\n',
        replace: '  if (request.id === null)\n',
      },
      {
        name: 'reversal-proposed-twice',
        find: "  if (pending.length > 0) refuse('conflict', { msg: 'A reversal of this request is already proposed.' })\n",
        replace: '',
      },
      {
        name: 'wallet-on-another-network',
        find: 'if (getCoinOfNetwork(network) !== walletName)',
        replace: "if (getCoinOfNetwork(network) === 'none')",
      },
      {
        name: 'wallet-with-a-malformed-address',
        find: "  if (problem !== null) refuseField('address', problem)\n",
        replace: '',
      },
      {
        name: 'wallet-proposed-twice',
        find: "  if (active.length > 0) refuse('conflict', { msg: 'This address is already a receiving wallet.' })\n",
        replace: '',
      },
      {
        name: 'active-strategy-resumed',
        find: "  if (current.status !== 'suspended') refuse('conflict', { msg: 'This strategy is not suspended.' })\n",
        replace: '',
      },
      {
        name: 'ended-strategy-resumed',
        find: "action === 'resume' && current.actor === 'system' &&",
        replace: "action === 'stop' && current.actor === 'system' &&",
      },
      {
        name: 'operator-blocks-a-resumption',
        find: "current.actor === 'system' && current.suspendedFor",
        replace: 'current.suspendedFor',
      },
    ],
  },
  {
    file: 'worker/console/investors/freeze.ts',
    tests: [
      'worker/identity/signIn/lockAccount.worker.test.ts',
      'worker/console/investors/investors.worker.test.ts',
      'worker/identity/factors/actFactor.worker.test.ts',
    ],
    changes: [
      {
        name: 'lock-lifted-by-one',
        find: 'if (facts.unlockedBy === actor.id)',
        replace: "if (facts.unlockedBy === '')",
        equivalent: 'A trigger refuses the second agreement of the same operator. Only the sentence differs.',
      },
      {
        name: 'lock-lifted-like-a-freeze',
        find: 'if (investor.facts.lockedAt !== null) return liftLock',
        replace: 'if (investor.facts.lockedAt === 0) return liftLock',
      },
      { name: 'lock-lifted-without-a-factor', find: '  await assertFactor(call, {})\n', replace: '' },
      {
        name: 'lifted-lock-lifts-a-freeze',
        find: '...(isOwnersFreeze && { frozenAt: null, frozenReason: null })',
        replace: '...{ frozenAt: null, frozenReason: null }',
      },
      {
        name: 'freeze-again-moves-its-time',
        find: 'investor.facts.frozenAt ?? call.nowMs',
        replace: 'call.nowMs',
      },
    ],
  },
]
