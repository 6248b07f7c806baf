import type { ConditionsOfFile } from './condition.ts'

const WITHDRAWALS = 'worker/money/withdrawals'

/** Filing a withdrawal: coverage, minimum, extra proof, delay. */
export const WITHDRAWAL_CONDITIONS: readonly ConditionsOfFile[] = [
  {
    file: `${WITHDRAWALS}/decide.ts`,
    tests: [
      `${WITHDRAWALS}/decide.test.ts`,
      `${WITHDRAWALS}/request.worker.test.ts`,
      `${WITHDRAWALS}/delay.worker.test.ts`,
      `${WITHDRAWALS}/proof.worker.test.ts`,
      `${WITHDRAWALS}/minimum.worker.test.ts`,
      'worker/ledger/debts.worker.test.ts',
    ],
    changes: [
      {
        name: 'withdrawal-with-a-debt',
        find: "  if (facts.owedCents > 0) refuse('debt_outstanding')\n",
        replace: '',
      },
      {
        name: 'withdrawal-of-everything-refused',
        find: 'facts.availableCents < withdrawal.amountCents',
        replace: 'facts.availableCents <= withdrawal.amountCents',
      },
      {
        name: 'withdrawal-not-covered',
        find: "  if (facts.availableCents < withdrawal.amountCents) refuse('insufficient_funds')\n",
        replace: '',
      },
      { name: 'many-open-withdrawals', find: '  assertMayOpen(facts.open)\n', replace: '' },
      { name: 'withdrawal-fields-unchecked', find: '  assertFields(withdrawal, facts)\n', replace: '' },
      {
        name: 'minimum-for-everything',
        find: 'const takesAll = amountCents === facts.availableCents',
        replace: 'const takesAll = amountCents > facts.availableCents',
      },
      {
        name: 'minimum-for-nothing',
        find: 'const tooSmall = takesAll ? null :',
        replace: 'const tooSmall = amountCents > 0 ? null :',
      },
      {
        name: 'destination-problems-ignored',
        find: '{ amount: tooSmall }), ...destination.problems }',
        replace: '{ amount: tooSmall }) }',
      },
      {
        name: 'new-destination-unproved',
        find: "  if (!circumstances.destinationKnown) reasons.push('new_destination')\n",
        replace: '',
      },
      {
        name: 'new-device-unproved',
        find: "  if (!circumstances.deviceKnown) reasons.push('new_device')\n",
        replace: '',
      },
      {
        name: 'recent-change-unproved',
        find: "  if (isRecentChange(circumstances.securityChangedAtMs, circumstances.nowMs))\n    reasons.push('recent_security_change')\n",
        replace: '',
      },
      {
        name: 'half-is-a-large-share',
        find: '    circumstances.filedCents + circumstances.amountCents >\n',
        replace: '    circumstances.filedCents + circumstances.amountCents >=\n',
      },
      {
        name: 'share-without-earlier-withdrawals',
        find: '    circumstances.filedCents + circumstances.amountCents >\n',
        replace: '    circumstances.amountCents >\n',
      },
      { name: 'factor-does-not-lift-the-delay', find: '  if (lifts) return null\n', replace: '' },
      {
        name: 'delay-of-a-known-destination-forgotten',
        find: 'until !== null && until > nowMs ? until : null',
        replace: 'until !== null && until < nowMs ? until : null',
      },
    ],
  },
  {
    file: `${WITHDRAWALS}/facts.ts`,
    tests: [
      `${WITHDRAWALS}/request.worker.test.ts`,
      `${WITHDRAWALS}/proof.worker.test.ts`,
      `${WITHDRAWALS}/delay.worker.test.ts`,
      `${WITHDRAWALS}/bankDestination.worker.test.ts`,
      `${WITHDRAWALS}/concurrency.worker.test.ts`,
      'worker/identity/credentials/codeLimit.worker.test.ts',
      'worker/identity/factors/twoFactor.worker.test.ts',
    ],
    changes: [
      {
        name: 'share-of-older-withdrawals',
        find: `created_at > \${nowMs - SHARE_WINDOW_MS}`,
        replace: `created_at < \${nowMs - SHARE_WINDOW_MS}`,
      },
      {
        name: 'share-counts-cancelled',
        find: "status NOT IN ('cancelled', 'rejected')",
        replace: "status NOT IN ('rejected')",
      },
      {
        name: 'share-counts-rejected',
        find: "status NOT IN ('cancelled', 'rejected')",
        replace: "status NOT IN ('cancelled')",
      },
      {
        name: 'share-without-bank-withdrawals',
        find: "kind IN ('withdrawal', 'online-service-withdrawal')",
        replace: "kind IN ('withdrawal')",
      },
      {
        name: 'destination-known-to-anybody',
        find: `WHERE investor = \${actor.id} AND destination_hash = \${destination.hash}`,
        replace: `WHERE \${actor.id} <> '' AND destination_hash = \${destination.hash}`,
      },
      { name: 'tries-unlimited', find: 'counter.used > TRIES.max', replace: 'counter.used < 0' },
      { name: 'last-try-refused', find: 'counter.used > TRIES.max', replace: 'counter.used >= TRIES.max' },
      {
        name: 'tries-counted-without-a-factor',
        find: ` AND \${sql.raw(hasSecondFactor('u.id'))}`,
        replace: '',
      },
      {
        name: 'tries-uncounted',
        find: '          ...(hasRateLimits(env) ? [countTry(actor.id, nowMs)] : []),\n        )\n      : await readTogether(db, ...reads, readMailedLimit',
        replace:
          '          ...(hasRateLimits(env) ? [] : []),\n        )\n      : await readTogether(db, ...reads, readMailedLimit',
      },
      {
        name: 'right-code-keeps-its-try',
        find: 'SET used = max(0, used - 1) WHERE key',
        replace: 'SET used = used WHERE key',
      },
      {
        name: 'passkey-answer-ignored',
        find: 'return proof.isPasskey || proof.code !== undefined',
        replace: 'return proof.code !== undefined',
      },
    ],
  },
  {
    file: `${WITHDRAWALS}/proof.ts`,
    tests: [
      `${WITHDRAWALS}/proof.worker.test.ts`,
      `${WITHDRAWALS}/delay.worker.test.ts`,
      `${WITHDRAWALS}/request.worker.test.ts`,
      'worker/identity/passkeys/withdrawals.worker.test.ts',
      'worker/identity/factors/twoFactor.worker.test.ts',
      'worker/identity/credentials/codeLimit.worker.test.ts',
    ],
    changes: [
      {
        name: 'one-reason-needs-no-proof',
        find: 'if (reasons.length > 0)',
        replace: 'if (reasons.length > 1)',
      },
      {
        name: 'needless-code-unchecked',
        find: 'if (isProofGiven(withdrawal)) return',
        replace: 'if (isProofGiven(withdrawal) && reasons.length > 0) return',
      },
      {
        name: 'code-mails-unlimited',
        find: '  if (hasRateLimits(env)) assertMayMail(facts.mails, nowMs)\n',
        replace: '',
        equivalent: 'The statement that counts the mails refuses with the same code.',
      },
      {
        name: 'recovery-code-withdraws',
        find: '{ ...facts.factors, recoveryHash: null }',
        replace: '{ ...facts.factors }',
      },
      {
        name: 'wrong-code-withdraws',
        find: "if (checked.state === 'wrong code') return refuse('invalid_code')",
        replace:
          "if (checked.state === 'wrong code') return buildProof(call, withdrawal, facts, { by: 'totp', spend: [] })",
      },
      {
        name: 'codes-beyond-the-weekly-limit',
        find: "if (checked.state === 'too many codes')",
        replace: "if (checked.state === 'too many')",
      },
      {
        name: 'wrong-passkey-withdraws',
        find: "if (checked.state !== 'right') return refuseWithNewChallenge(call, scope, facts)",
        replace:
          "if (checked.state !== 'right') return buildProof(call, withdrawal, facts, { by: 'passkey', spend: [] })",
      },
      {
        name: 'changed-factor-lifts-the-delay',
        find: "by !== 'email' && !isRecentChange(facts.factors.securityChangedAtMs, call.nowMs)",
        replace: "by !== 'email'",
      },
      {
        name: 'mail-code-lifts-the-delay',
        find: "by !== 'email' && !isRecentChange",
        replace: '!isRecentChange',
      },
      {
        name: 'device-never-known',
        find: `SET confirmed_at = \${nowMs} WHERE id = \${actor.session.id}`,
        replace: `SET confirmed_at = NULL WHERE id = \${actor.session.id}`,
      },
      {
        name: 'device-known-for-others',
        find: `WHERE user_id = \${actor.id} AND device_hash = \${device.hash}`,
        replace: `WHERE user_id <> \${actor.id} AND device_hash = \${device.hash}`,
      },
      {
        name: 'mailed-code-ends-a-delay',
        find: 'heldUntil: lifts ? null : sql`held_until`',
        replace: 'heldUntil: null',
      },
    ],
  },
  {
    file: `${WITHDRAWALS}/request.ts`,
    tests: [
      `${WITHDRAWALS}/request.worker.test.ts`,
      `${WITHDRAWALS}/proof.worker.test.ts`,
      `${WITHDRAWALS}/concurrency.worker.test.ts`,
      `${WITHDRAWALS}/delay.worker.test.ts`,
      'worker/identity/factors/twoFactor.worker.test.ts',
      'worker/identity/credentials/codeLimit.worker.test.ts',
    ],
    changes: [
      {
        name: 'overtaken-share-not-retried',
        find: "code === 'step_up_required' || code === 'destination_on_hold'",
        replace: "code === 'destination_on_hold'",
      },
      {
        name: 'overtaken-delay-not-retried',
        find: "code === 'step_up_required' || code === 'destination_on_hold'",
        replace: "code === 'step_up_required'",
      },
      {
        name: 'withdrawal-tries-unchecked',
        find: '    assertMayTry(facts.tries, call.nowMs)\n',
        replace: '',
      },
      { name: 'withdrawal-unchecked', find: '    assertMayFile(withdrawal, facts)\n', replace: '' },
      { name: 'proof-never-spent', find: '      ...proof.statements,\n', replace: '' },
    ],
  },
  {
    file: `${WITHDRAWALS}/destination.ts`,
    tests: [
      `${WITHDRAWALS}/destination.test.ts`,
      `${WITHDRAWALS}/request.worker.test.ts`,
      `${WITHDRAWALS}/bankDestination.worker.test.ts`,
    ],
    changes: [
      {
        name: 'coin-on-another-network',
        find: 'getCoinOfNetwork(network) !== type && {',
        replace: "getCoinOfNetwork(network) === 'none' && {",
      },
      {
        name: 'malformed-address',
        find: '    ...(problem !== null && { address: problem }),\n',
        replace: '',
      },
      {
        name: 'account-number-by-its-blanks',
        find: "field === 'accountNumber' || field === 'branchCode'",
        replace: "field === 'branchCode'",
      },
      {
        name: 'branch-code-by-its-blanks',
        find: "field === 'accountNumber' || field === 'branchCode'",
        replace: "field === 'accountNumber'",
      },
      {
        name: 'address-in-its-spelling',
        find: "'address' in problems ? address : normalizeAddress(network, address)",
        replace: 'address',
      },
    ],
  },
  {
    file: 'worker/money/requests/recentChange.ts',
    tests: [
      `${WITHDRAWALS}/decide.test.ts`,
      `${WITHDRAWALS}/proof.worker.test.ts`,
      `${WITHDRAWALS}/delay.worker.test.ts`,
      'worker/money/destinations/check.worker.test.ts',
      'worker/money/requests/limits.worker.test.ts',
    ],
    changes: [
      {
        name: 'change-recent-for-ever',
        find: 'nowMs - securityChangedAtMs < RECENT_CHANGE_MS',
        replace: 'nowMs > 0',
      },
      {
        name: 'change-recent-at-its-end',
        find: 'nowMs - securityChangedAtMs < RECENT_CHANGE_MS',
        replace: 'nowMs - securityChangedAtMs <= RECENT_CHANGE_MS',
      },
      {
        name: 'no-factor-lifts-the-delay',
        find: 'return twoFactor && !isRecentChange',
        replace: 'return !isRecentChange',
      },
      {
        name: 'recent-factor-spares-the-delay',
        find: 'return twoFactor && !isRecentChange(securityChangedAtMs, nowMs)',
        replace: 'return twoFactor',
      },
    ],
  },
]
