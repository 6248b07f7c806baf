import type { ConditionsOfFile } from './condition.ts'

/** Balances, units, custody, postings, and what a repeated request may do. */
export const LEDGER_CONDITIONS: readonly ConditionsOfFile[] = [
  {
    file: 'worker/ledger/post.ts',
    tests: ['worker/ledger/debts.worker.test.ts', 'worker/console/proposals/proposals.worker.test.ts'],
    changes: [
      {
        name: 'covered-reversal-makes-a-debt',
        find: `AND a.balance < \${cause.amountCents}\``,
        replace: `AND a.balance <= \${cause.amountCents}\``,
      },
      { name: 'reversal-without-a-debt', find: '    insertDebt(cause, by),\n', replace: '' },
    ],
  },
  {
    file: 'worker/ledger/units.ts',
    tests: ['worker/ledger/units.test.ts'],
    changes: [
      {
        name: 'division-rounds-down',
        find: '(dividend + divisor - 1n) / divisor',
        replace: 'dividend / divisor',
      },
      {
        name: 'inexact-amount-accepted',
        find: '  if (!Number.isSafeInteger(number)) throw',
        replace: '  if (Number.isNaN(number)) throw',
      },
      {
        name: 'high-water-mark-rounds-down',
        find: 'return toExactNumber(roundUpQuotient(sum, BigInt(units) + BigInt(bought)))',
        replace: 'return toExactNumber(sum / (BigInt(units) + BigInt(bought)))',
      },
    ],
  },
  {
    file: 'worker/ledger/custody.ts',
    tests: ['worker/ledger/custody.test.ts', 'worker/console/withdrawals/decide.worker.test.ts'],
    changes: [
      { name: 'quantity-of-zero', find: 'units > 0n && units <= MAX_UNITS', replace: 'units <= MAX_UNITS' },
      { name: 'quantity-without-a-limit', find: 'units > 0n && units <= MAX_UNITS', replace: 'units > 0n' },
      {
        name: 'largest-quantity-refused',
        find: 'units > 0n && units <= MAX_UNITS',
        replace: 'units > 0n && units < MAX_UNITS',
      },
      { name: 'quantity-at-a-price-of-zero', find: "  if (perCoin === 0n) return '0'\n", replace: '' },
    ],
  },
  {
    file: 'worker/ledger/latestPrice.ts',
    tests: ['worker/ledger/latestPrice.test.ts'],
    changes: [
      {
        name: 'older-displayed-price-wins',
        find: 'displayPrice !== null && displayAt >= valued.atMs',
        replace: 'displayPrice !== null',
      },
      {
        name: 'close-counts-from-its-open',
        find: "valuedDay + (valuedKind === 'close' ? DAY_MS : 0)",
        replace: 'valuedDay',
      },
    ],
  },
  {
    file: 'worker/ledger/strategies.ts',
    tests: [
      'worker/ledger/strategies.worker.test.ts',
      'worker/ledger/strategies.properties.worker.test.ts',
      'worker/ledger/races.worker.test.ts',
      'worker/investing/trading/step.worker.test.ts',
    ],
    changes: [
      {
        name: 'missing-units-sold',
        find: 'Math.min(holding.units, asked)',
        replace: 'asked',
      },
      {
        name: 'redemption-of-nothing',
        find: '  if (holding.units === 0) return null\n',
        replace: '',
      },
    ],
  },
  {
    file: 'worker/ledger/stopPayouts.ts',
    tests: ['worker/ledger/stopPayouts.worker.test.ts'],
    changes: [
      {
        name: 'mail-names-no-outgoing-withdrawals',
        find: 'if (outgoing === 0) return []',
        replace: 'if (outgoing > 0) return []',
      },
      {
        name: 'approved-withdrawals-are-not-outgoing',
        find: "AND status IN ('pending', 'approved') AND NOT",
        replace: "AND status IN ('pending') AND NOT",
      },
    ],
  },
  {
    file: 'worker/http/idempotency.ts',
    tests: [
      'worker/money/deposits/cancel.worker.test.ts',
      'worker/money/deposits/request.worker.test.ts',
      'worker/http/body.worker.test.ts',
      'worker/money/withdrawals/delay.worker.test.ts',
    ],
    changes: [
      {
        name: 'key-for-another-request',
        find: "  if (stored.fingerprint !== fingerprint) refuse('idempotency_key_reused')\n",
        replace: '',
      },
      {
        name: 'key-on-another-path',
        find: '[request.method, pathname, toCanonical(values, true), files]',
        replace: "[request.method, '', toCanonical(values, true), files]",
      },
      {
        name: 'running-request-answered',
        find: "  if (found.state === 'running') refuse('idempotency_in_progress', { retryAfterSeconds: 1 })\n",
        replace: '',
      },
      {
        name: 'crashed-request-keeps-its-key',
        find: `AND at <= ?3 - \${RUNNING_MS}\``,
        replace: 'AND at > ?3`',
      },
      {
        name: 'key-taken-from-a-running-request',
        find: `AND at <= ?3 - \${RUNNING_MS}\``,
        replace: 'AND at <= ?3`',
      },
      {
        name: 'answers-kept-for-ever',
        find: `AND at <= ?3 - \${KEPT_MS}\``,
        replace: 'AND at > ?3`',
      },
      {
        name: 'fingerprint-of-the-code',
        find: '!(top && PROOFS.has(key))',
        replace: 'key !== key',
      },
      {
        name: 'fingerprint-without-files',
        find: 'toCanonical(values, true), files]',
        replace: 'toCanonical(values, true), files.length]',
      },
    ],
  },
  {
    file: 'worker/http/actor.ts',
    tests: [
      'worker/money/deposits/request.worker.test.ts',
      'worker/money/deposits/cancel.worker.test.ts',
      'worker/money/withdrawals/request.worker.test.ts',
      'worker/http/firstTrip.worker.test.ts',
    ],
    changes: [
      {
        name: 'frozen-account-moves-money',
        find: 'breaks: ({ frozen }) => frozen,',
        replace: 'breaks: () => false,',
      },
      {
        name: 'unidentified-investor-moves-money',
        find: "kycRequired && kyc !== 'approved'",
        replace: "kycRequired && kyc === 'none'",
      },
      {
        name: 'identity-required-without-the-setting',
        find: "=> kycRequired && kyc !== 'approved'",
        replace: "=> kyc !== 'approved'",
      },
      {
        name: 'dead-session-reads-before-its-refusal',
        find: "['u.id IS NULL', ...(guard ?? [])]",
        replace: "['u.id IS NOT NULL AND 0', ...(guard ?? [])]",
      },
      {
        name: 'session-of-another-user',
        find: ' AND s.user_id = ?5',
        replace: ' AND ?5 = ?5',
      },
    ],
  },
  {
    file: 'worker/identify.ts',
    tests: [
      'worker/money/deposits/request.worker.test.ts',
      'worker/money/deposits/cancel.worker.test.ts',
      'worker/money/withdrawals/request.worker.test.ts',
      'worker/http/body.worker.test.ts',
    ],
    changes: [
      {
        name: 'malformed-key-ignored',
        find: "    if (this.#request === 'invalid') refuse('invalid_idempotency_key')\n",
        replace: '',
      },
      {
        name: 'refused-request-keeps-its-key',
        find: '    if (this.claim !== null) await releaseClaim(this.#asked.env.DB, this.claim)\n',
        replace: '',
      },
    ],
  },
  {
    file: 'worker/identity/factors/actFactor.ts',
    tests: [
      'worker/identity/factors/actFactor.worker.test.ts',
      'worker/identity/credentials/codeLimit.worker.test.ts',
    ],
    changes: [
      {
        name: 'large-amount-without-a-factor-of-its-own',
        find: "  if (amountCents > actor.acts.twoPersonLimitCents) return 'bound_factor'\n",
        replace: '',
      },
      {
        name: 'limit-needs-a-factor-of-its-own',
        find: 'amountCents > actor.acts.twoPersonLimitCents',
        replace: 'amountCents >= actor.acts.twoPersonLimitCents',
      },
      {
        name: 'old-factor-counts',
        find: '    nowMs - factor.atMs <= actor.acts.factorMinutes * 60_000 &&\n',
        replace: '',
      },
      {
        name: 'proof-of-another-act',
        find: 'isChallengeOpen: shown.context === scope.context ? 1 : 0',
        replace: 'isChallengeOpen: shown.context === null ? 0 : 1',
      },
      {
        name: 'wrong-code-acts',
        find: "if (checked.state !== 'right') return refuse('invalid_code')",
        replace: "if (checked.state !== 'right') return call.commit(effect)",
      },
      {
        name: 'code-never-spent',
        find: '[...checked.spend, renewFactor(call, shown.sent.isPasskey),',
        replace: '[renewFactor(call, shown.sent.isPasskey),',
      },
      { name: 'renewal-without-a-proof', find: "  if (renews) return 'fresh_factor'\n", replace: '' },
    ],
  },
  {
    file: 'worker/identity/mailedCodes/codes.ts',
    tests: ['worker/money/withdrawals/proof.worker.test.ts', 'worker/money/withdrawals/delay.worker.test.ts'],
    changes: [
      {
        name: 'expired-code-counts',
        find: `AND used_at IS NULL AND expires_at > \${nowMs} AND tries`,
        replace: 'AND used_at IS NULL AND tries',
      },
      {
        name: 'used-code-counts',
        find: `AND used_at IS NULL AND expires_at > \${nowMs} AND tries`,
        replace: `AND expires_at > \${nowMs} AND tries`,
        equivalent: 'The database refuses a used code with the same answer.',
      },
      { name: 'code-tried-for-ever', find: `AND tries < \${CODE_TRIES}\n`, replace: 'AND tries < 1000000\n' },
      {
        name: 'code-tried-once-more',
        find: `AND tries < \${CODE_TRIES}\n`,
        replace: `AND tries <= \${CODE_TRIES}\n`,
      },
      {
        name: 'code-for-another-amount',
        find: `UPDATE withdrawal_codes SET tries = tries + 1\n    WHERE investor = \${investor} AND amount = \${amountCents} AND`,
        replace: `UPDATE withdrawal_codes SET tries = tries + 1\n    WHERE investor = \${investor} AND \${amountCents} > 0 AND`,
      },
      {
        name: 'code-for-another-destination',
        find: `AND destination_hash = \${destinationHash}\n      AND used_at`,
        replace: `AND \${destinationHash} <> ''\n      AND used_at`,
      },
      {
        name: 'any-code-counts',
        find: 'if (await isMailedCode(env, id, code, code_hash))',
        replace: 'if (!(await isMailedCode(env, id, code, code_hash)))',
      },
    ],
  },
]
