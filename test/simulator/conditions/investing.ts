import type { ConditionsOfFile } from './condition.ts'

const ORDERS = 'worker/investing/allocations/allocations.worker.test.ts'
const ONWARD = 'worker/investing/allocations/onwardWithdrawals.worker.test.ts'
const RUN = 'worker/investing/trading/run.worker.test.ts'
const STEP = 'worker/investing/trading/step.worker.test.ts'
const ADVERSITIES = 'worker/investing/trading/adversities.worker.test.ts'

/** Orders, settlement, fees, trading, prices. */
export const INVESTING_CONDITIONS: readonly ConditionsOfFile[] = [
  {
    file: 'worker/investing/allocations/allocate.ts',
    tests: [
      ORDERS,
      'worker/ledger/debts.worker.test.ts',
      'worker/investing/trading/realMoney.worker.test.ts',
    ],
    changes: [
      { name: 'least-allocation-refused', find: 'if (cents < least)', replace: 'if (cents <= least)' },
      {
        name: 'small-first-allocation',
        find: 'units > 0 ? LEAST_MORE_CENTS : minimum',
        replace: 'LEAST_MORE_CENTS',
      },
      { name: 'large-second-allocation', find: 'units > 0 ? LEAST_MORE_CENTS : minimum', replace: 'minimum' },
      {
        name: 'allocation-to-a-suspended-strategy',
        find: "  if (position.status !== 'active') refuse('strategy_suspended')\n",
        replace: '',
        equivalent: 'A trigger refuses with the same code.',
      },
      {
        name: 'many-pending-allocations',
        find: "  if ((pending?.count ?? 0) >= MAX_PENDING_ORDERS) refuse('too_many_open')\n",
        replace: '',
        equivalent: 'A trigger refuses with the same code.',
      },
      {
        name: 'allocation-with-a-debt',
        find: "  if ((cash?.owedCents ?? 0) > 0) refuse('debt_outstanding')\n",
        replace: '',
      },
      {
        name: 'allocation-of-everything-refused',
        find: '(cash?.availableCents ?? 0) < cents',
        replace: '(cash?.availableCents ?? 0) <= cents',
      },
      { name: 'allocation-in-live-mode', find: '  assertMayOrder(env, position)\n', replace: '' },
    ],
  },
  {
    file: 'worker/investing/allocations/redeem.ts',
    tests: [ORDERS, ONWARD, 'worker/investing/trading/realMoney.worker.test.ts'],
    changes: [
      {
        name: 'redemption-to-a-wallet-without-identity',
        find: "body.thenWithdraw !== undefined && actor.kycRequired && actor.kyc !== 'approved'",
        replace: "body.thenWithdraw !== undefined && actor.kycRequired && actor.kyc === 'none-at-all'",
      },
      {
        name: 'redemption-of-more-than-is-left',
        find: 'position.units === 0 || position.isAllAsked === 1 || (cents ?? 0) > left',
        replace: 'position.units === 0 || position.isAllAsked === 1',
      },
      {
        name: 'redemption-of-all-that-is-left-refused',
        find: 'position.isAllAsked === 1 || (cents ?? 0) > left',
        replace: 'position.isAllAsked === 1 || (cents ?? 0) >= left',
      },
      {
        name: 'redemption-after-everything',
        find: 'position.units === 0 || position.isAllAsked === 1 || (cents ?? 0) > left',
        replace: 'position.units === 0 || (cents ?? 0) > left',
      },
      {
        name: 'redemption-without-units',
        find: 'position.units === 0 || position.isAllAsked === 1 || (cents ?? 0) > left',
        replace: 'position.isAllAsked === 1 || (cents ?? 0) > left',
        equivalent: 'A trigger refuses with the same code.',
      },
      {
        name: 'redemption-asks-without-pending-ones',
        find: 'valueCentsAtLatestPrice(position) - position.pendingOut',
        replace: 'valueCentsAtLatestPrice(position)',
      },
      { name: 'redemption-in-live-mode', find: '  assertMayOrder(env, position)\n', replace: '' },
      {
        name: 'redemption-with-unlimited-tries',
        find: '  assertMayTry(facts.tries, call.nowMs)\n',
        replace: '',
      },
      { name: 'redemption-to-a-malformed-wallet', find: '  assertFields(withdrawal, then)\n', replace: '' },
      {
        name: 'redemption-with-many-open-withdrawals',
        find: '  if (planned !== null) assertMayOpen(planned.facts.open)\n',
        replace: '',
      },
    ],
  },
  {
    file: 'worker/investing/allocations/orders.ts',
    tests: [ORDERS, 'worker/investing/trading/realMoney.worker.test.ts'],
    changes: [
      {
        name: 'order-cancelled-at-its-open',
        find: 'nowMs < computeNextValuation(createdAt) ||',
        replace: 'nowMs <= computeNextValuation(createdAt) ||',
      },
      {
        name: 'returned-allocation-stays',
        find: "nowMs < computeNextValuation(createdAt) || (kind === 'allocate' && isTaking === 0)",
        replace: 'nowMs < computeNextValuation(createdAt)',
      },
      {
        name: 'late-redemption-cancelled',
        find: "(kind === 'allocate' && isTaking === 0)",
        replace: '(isTaking === 0)',
      },
      {
        name: 'decided-order-cancelled',
        find: "return status === 'pending' && isInTime",
        replace: 'return isInTime',
      },
      {
        name: 'order-at-midnight-priced-at-once',
        find: '(Math.floor(atMs / DAY_MS) + 1) * DAY_MS',
        replace: 'Math.ceil(atMs / DAY_MS) * DAY_MS',
      },
    ],
  },
  {
    file: 'worker/investing/allocations/cancel.ts',
    tests: [ORDERS],
    changes: [
      {
        name: 'cancel-anybodys-order',
        find: `WHERE o.investor = \${actor.id} AND \${strategy`,
        replace: `WHERE \${actor.id} <> '' AND \${strategy`,
      },
      {
        name: 'late-orders-cancelled',
        find: 'orders.filter((order) => isCancellable(order, nowMs))',
        replace: 'orders.filter(() => nowMs > 0)',
      },
    ],
  },
  {
    file: 'worker/investing/allocations/onwardWithdrawals.ts',
    tests: [ONWARD, 'worker/ledger/stopPayouts.worker.test.ts', 'worker/ledger/debts.worker.test.ts'],
    changes: [
      {
        name: 'proceeds-of-others-withdrawn',
        find: 'Math.min(order.proceeds, order.available)',
        replace: 'order.available',
      },
      {
        name: 'missing-proceeds-withdrawn',
        find: 'Math.min(order.proceeds, order.available)',
        replace: 'order.proceeds',
      },
      { name: 'frozen-proceeds-withdrawn', find: 'order.mayWithdraw === 0 ||', replace: '' },
      {
        name: 'small-proceeds-withdrawn',
        find: 'amountCents <= 0 || isTooSmall)',
        replace: 'amountCents <= 0)',
      },
      {
        name: 'delay-of-proceeds-forgotten',
        find: `AND k.held_until > \${nowMs}) AS heldUntil`,
        replace: `AND k.held_until < \${nowMs}) AS heldUntil`,
      },
      {
        name: 'repaid-proceeds-withdrawn',
        find: "m.cents - coalesce((SELECT t.amount FROM transfers t WHERE t.id = o.id || ':repay'), 0) AS proceeds",
        replace: 'm.cents AS proceeds',
      },
      {
        name: 'proceeds-withdrawn-twice',
        find: 'o.onward IS NOT NULL AND o.onward_at IS NULL AND',
        replace: 'o.onward IS NOT NULL AND',
        equivalent: 'The statement that sets onward_at clears onward.',
      },
      {
        name: 'overtaken-proceeds-reported',
        find: '    if (await isDone(db, order.id)) return\n',
        replace: '',
      },
    ],
  },
  {
    file: 'worker/investing/allocations/positions.ts',
    tests: [ORDERS],
    changes: [
      {
        name: 'position-of-anybody',
        find: 'strategy !== undefined && id === (await derivePositionId(investor, strategy))',
        replace: 'strategy !== undefined && id !== investor',
      },
    ],
  },
  {
    file: 'worker/investing/trading/settlement.ts',
    tests: ['worker/investing/trading/settlement.test.ts', RUN, STEP],
    changes: [
      {
        name: 'allocation-of-a-debtor-settled',
        find: "if (order.kind === 'allocate' && order.owes === 1) return []",
        replace: "if (order.kind === 'allocate' && order.owes === 1 && order.cents === 0) return []",
      },
      {
        name: 'redemption-of-a-debtor-cancelled',
        find: "order.kind === 'allocate' && order.owes === 1",
        replace: 'order.owes === 1',
      },
      { name: 'redeemed-units-missing', find: '    if (units === 0) return []\n', replace: '' },
      {
        name: 'more-units-than-held',
        find: 'cents === null ? units : Math.min(units, computeUnitsToRedeem(cents, redeem))',
        replace: 'cents === null ? units : computeUnitsToRedeem(cents, redeem)',
      },
      {
        name: 'units-left-by-the-fee',
        find: "'redeem', Math.min(asked, left), highWater)",
        replace: "'redeem', asked, highWater)",
      },
      {
        name: 'fee-without-profit',
        find: 'if (redeemPrice <= highWater) return 0',
        replace: 'if (redeemPrice < 0) return 0',
      },
      {
        name: 'fee-on-the-whole-price',
        find: 'valueCents(units, redeemPrice - highWater)',
        replace: 'valueCents(units, redeemPrice)',
      },
      { name: 'fee-takes-the-last-unit', find: 'units - 1)', replace: 'units)' },
      {
        name: 'fee-lowers-the-high-water-mark',
        find: 'Math.max(unit, highWater))',
        replace: 'unit)',
        equivalent:
          'A fee is taken only if the redemption price, which is at most the unit price, is above the mark.',
      },
    ],
  },
  {
    file: 'worker/investing/trading/monthFees.ts',
    tests: [RUN, 'worker/investing/trading/attacks.worker.test.ts', ADVERSITIES],
    changes: [
      {
        name: 'fees-in-every-step',
        find: 'AND NOT EXISTS (\n          SELECT 1 FROM pool_steps',
        replace: 'AND EXISTS (SELECT 1 UNION ALL\n          SELECT 1 FROM pool_steps',
      },
      {
        name: 'fees-of-now',
        find: `sql\`SELECT fees \${open}\``,
        replace: "sql`SELECT value AS fees FROM settings WHERE key = 'fees'`",
      },
      {
        name: 'fees-of-who-joins',
        find: '!isCharged || settled?.day === day',
        replace: '!isCharged',
      },
      {
        name: 'subscription-charged-again',
        find: 'const cents = subscriptionCents - taken',
        replace: 'const cents = subscriptionCents - 0 * taken',
      },
      {
        name: 'performance-fee-charged-again',
        find: 'performance: isPerformanceTaken === 1 ? null :',
        replace: 'performance: isPerformanceTaken === 2 ? null :',
        equivalent:
          'The fee raised the high-water mark to the unit price, and the redemption price of that day is no higher.',
      },
      {
        name: 'subscription-part-repeats-its-name',
        find: `ref: parts === 0 ? ref : \`\${ref}:\${parts}\``,
        replace: 'ref',
      },
      {
        name: 'no-fees-unless-both',
        find: 'terms.performanceBasisPoints > 0 || terms.subscriptionCents > 0',
        replace: 'terms.performanceBasisPoints > 0 && terms.subscriptionCents > 0',
      },
    ],
  },
  {
    file: 'worker/investing/trading/step.ts',
    tests: [RUN, STEP, ADVERSITIES],
    changes: [
      { name: 'day-opens-after-midnight', find: 'due.from <= nowMs ?', replace: 'due.from < nowMs ?' },
      {
        name: 'suspended-strategy-keeps-allocations',
        find: "const isTaking = pool.status === 'active'",
        replace: "const isTaking = pool.status !== 'stopped'",
      },
      {
        name: 'suspension-returns-redemptions',
        find: "    if (order.kind !== 'allocate') continue\n",
        replace: '',
      },
      {
        name: 'suspended-pool-stays-invested',
        find: 'pool.latest?.follows === 1 ?',
        replace: 'pool.latest?.follows !== 2 ?',
      },
      { name: 'filled-order-traded-again', find: '    if (order.isFilled === 1) continue\n', replace: '' },
      {
        name: 'settled-day-plans-again',
        find: 'placed.length === 0 && !books.isSettling',
        replace: 'placed.length === 0',
      },
      {
        name: 'strategy-of-today-opens-today',
        find: 'const day = Math.floor(startedAt / DAY_MS) * DAY_MS + DAY_MS\n    return',
        replace: 'const day = Math.floor(startedAt / DAY_MS) * DAY_MS\n    return',
      },
    ],
  },
  {
    file: 'worker/investing/trading/judge.ts',
    tests: [
      'worker/investing/trading/judge.test.ts',
      'worker/console/strategies/strategies.worker.test.ts',
      RUN,
    ],
    changes: [
      { name: 'suspended-again', find: "  if (pool.status !== 'active') return []\n", replace: '' },
      {
        name: 'band-broken-above',
        find: 'unit / since.unit < computeBandLines',
        replace: 'unit / since.unit > computeBandLines',
      },
      {
        name: 'drawdown-rule-ignored',
        find: "  if (isDrawdownReached(unit, Math.max(since.peak, since.unit), pool.definition.risk)) return 'drawdown'\n",
        replace: '',
      },
      {
        name: 'measured-from-the-start',
        find: `kind = 'open' AND day > \${resumed} ORDER`,
        replace: `kind = 'open' AND day > 0 * \${resumed} ORDER`,
      },
      {
        name: 'peak-from-the-start',
        find: `kind = 'close' AND day > \${resumed} AND`,
        replace: `kind = 'close' AND day > 0 * \${resumed} AND`,
      },
      { name: 'model-that-ended-goes-on', find: 'stopped.bar <= bar', replace: 'stopped.bar < bar' },
    ],
  },
  {
    file: 'worker/investing/trading/orders.ts',
    tests: [ADVERSITIES, STEP],
    changes: [
      {
        name: 'day-ends-with-a-debt',
        find: 'if (pool.cash >= 0) return true',
        replace: 'if (pool.cash >= -1_000_000_000) return true',
      },
      {
        name: 'refused-sale-placed-again',
        find: 'const mayCover = !isRefused && round',
        replace: 'const mayCover = round',
      },
      { name: 'cover-without-end', find: 'round <= MOST_COVERS', replace: 'round <= 1000' },
      { name: 'purchase-on-credit', find: "side === 'buy' ? Math.max(0, cash) : null", replace: 'null' },
      {
        name: 'waiting-order-counts-as-filled',
        find: "if (state.state === 'waiting') return null",
        replace: "if (state.state === 'waiting') return 0",
      },
    ],
  },
  {
    file: 'worker/investing/trading/realMoney.ts',
    tests: ['worker/investing/trading/realMoney.worker.test.ts'],
    changes: [
      {
        name: 'live-mode-trades',
        find: 'if (market === SIMULATED && isMoneyReal(env, mode)) throw',
        replace: "if (market === '' && isMoneyReal(env, mode)) throw",
      },
      {
        name: 'live-mode-trades-on-paper',
        find: 'if ((units > 0 || hasOrders === 1) && isMoneyReal(env, mode)) throw',
        replace: 'if (hasOrders === 1 && isMoneyReal(env, mode)) throw',
      },
      {
        name: 'live-mode-takes-orders',
        find: 'if (venue === null && isMoneyReal(env, mode))',
        replace: "if (venue === '' && isMoneyReal(env, mode))",
      },
    ],
  },
  {
    file: 'worker/investing/trading/unitPrices.ts',
    tests: [
      'worker/investing/trading/unitPrices.test.ts',
      'worker/investing/trading/plan.test.ts',
      'worker/investing/trading/attacks.worker.test.ts',
      STEP,
    ],
    changes: [
      {
        name: 'price-beyond-the-pool',
        find: 'if (price <= payable) return price',
        replace: 'if (price > 0) return price',
      },
      {
        name: 'allocation-without-its-costs',
        find: 'issue: unit + takeShareAtLeast(unit, buying * invested)',
        replace: 'issue: unit + 0 * takeShareAtLeast(unit, buying * invested)',
      },
    ],
  },
  {
    file: 'worker/investing/market/plausibility.ts',
    tests: ['worker/investing/market/plausibility.test.ts', 'worker/investing/market/refresh.worker.test.ts'],
    changes: [
      {
        name: 'jump-believed-at-once',
        find: '!isJump(row.id, row.current_price, last)',
        replace: 'last > 0',
      },
      {
        name: 'jump-never-believed',
        find: '(first !== undefined && isNearPrice(row.current_price, first))',
        replace: '(first !== undefined && !isNearPrice(row.current_price, first))',
      },
      {
        name: 'first-price-believed-at-once',
        find: 'last === undefined ? !offered.has(row.id)',
        replace: 'last === undefined ? true',
      },
      {
        name: 'largest-step-is-a-jump',
        find: '> (offered.has(id) ? JUMP_OF_OFFERED : JUMP)',
        replace: '>= (offered.has(id) ? JUMP_OF_OFFERED : JUMP)',
      },
      {
        name: 'offered-coins-jump-like-others',
        find: '(offered.has(id) ? JUMP_OF_OFFERED : JUMP)',
        replace: 'JUMP',
      },
      { name: 'fall-is-no-jump', find: 'return a > b ? a / b : b / a', replace: 'return a / b' },
    ],
  },
  {
    file: 'worker/lib/market/rates.ts',
    tests: [
      'worker/investing/market/oldPrices.worker.test.ts',
      'worker/lib/market/rate.test.ts',
      'worker/investing/market/refresh.worker.test.ts',
      'worker/investing/market/market.worker.test.ts',
    ],
    changes: [
      {
        name: 'old-price-quoted',
        find: 'nowMs - coins.atMs > maxAgeMs || Object.hasOwn(coins.held, id)',
        replace: 'Object.hasOwn(coins.held, id)',
      },
      {
        name: 'unconfirmed-price-quoted',
        find: 'nowMs - coins.atMs > maxAgeMs || Object.hasOwn(coins.held, id)',
        replace: 'nowMs - coins.atMs > maxAgeMs',
      },
      {
        name: 'sample-price-quoted',
        find: "if (coins.source === SAMPLE_SOURCE && (env.MARKET_BASE_URL ?? '') !== '') return null",
        replace: "if (coins.source === SAMPLE_SOURCE && (env.MARKET_BASE_URL ?? '') === '-') return null",
      },
    ],
  },
]
