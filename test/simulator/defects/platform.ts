import type { Defect } from './defect.ts'

/** Sessions, keys, mails, cron and the audit log. */
export const PLATFORM_DEFECTS: readonly Defect[] = [
  {
    name: 'code-for-any-amount',
    harm: 'A code that was mailed for a small withdrawal confirms a large one.',
    file: 'worker/identity/mailedCodes/codes.ts',
    find: `    WHERE investor = \${investor} AND amount = \${amountCents} AND destination_hash = \${destinationHash}
      AND used_at IS NULL`,
    replace: `    WHERE investor = \${investor} AND destination_hash = \${destinationHash}
      AND used_at IS NULL`,
  },
  {
    name: 'code-never-expires',
    harm: 'A code in an old mail still confirms a withdrawal.',
    file: 'worker/identity/mailedCodes/codes.ts',
    find: `AND used_at IS NULL AND expires_at > \${nowMs} AND tries`,
    replace: 'AND used_at IS NULL AND tries',
  },
  {
    name: 'page-skips-a-row',
    harm: 'A request is missing between two pages of the history.',
    file: 'worker/http/paging.ts',
    find: `  const last = page.at(-1)
  if (rows.length`,
    replace: `  const last = rows[limit] ?? page.at(-1)
  if (rows.length`,
    tests: ['worker/http/paging.test.ts'],
  },
  {
    name: 'key-without-fingerprint',
    harm: 'A key that is used again for another request answers with the first.',
    file: 'worker/http/idempotency.ts',
    find: "if (stored.fingerprint !== fingerprint) refuse('idempotency_key_reused')",
    replace: '',
    tests: ['worker/money/deposits/request.worker.test.ts'],
  },
  {
    name: 'keys-shared-by-all',
    harm: "Two people with the same key get each other's answers.",
    file: 'worker/http/idempotency.ts',
    find: 'JOIN sessions s ON s.user_id = i.user_id WHERE i.key = ?6',
    replace: "JOIN sessions s ON s.user_id <> '' WHERE i.key = ?6",
  },
  {
    name: 'answer-without-its-key',
    harm: 'A slow request whose key another one took takes effect, and so does the next one: a deposit or withdrawal is filed twice.',
    file: 'migrations/0002_platform.sql',
    find: "WHEN NEW.state = 'done' AND NOT EXISTS (",
    replace: "WHEN NEW.state = 'never' AND NOT EXISTS (",
    tests: ['worker/money/deposits/cancel.worker.test.ts'],
  },
  {
    name: 'answer-without-its-effect',
    harm: 'A retried request runs twice, because its answer was not kept.',
    file: 'worker/http/call.ts',
    find: `    ...kept,
`,
    replace: '',
  },
  {
    name: 'signing-out-ends-nothing',
    harm: 'A copied session works after its owner signed out.',
    file: 'worker/http/actor.ts',
    find: 's.secret_hash = ?2 AND s.ended_at IS NULL AND',
    replace: 's.secret_hash = ?2 AND',
  },
  {
    name: 'idle-sessions-live-on',
    harm: 'A browser that was left open works the next day.',
    file: 'worker/http/actor.ts',
    find: ' AND s.expires_at > ?3 AND s.last_seen_at > ?4',
    replace: ' AND s.expires_at > ?3 AND ?4 > 0',
  },
  {
    name: 'identity-not-required',
    harm: 'Money moves for people whose identity nobody checked.',
    file: 'worker/http/actor.ts',
    find: "=> kycRequired && kyc !== 'approved'",
    replace: "=> kycRequired && kyc === 'rejected'",
    tests: ['worker/money/withdrawals/request.worker.test.ts'],
  },
  {
    name: 'group-of-settings-replaced',
    harm: 'One of several fees can never be changed.',
    file: 'worker/platform/settings/values.ts',
    find: `value: isGroup ? sql\`json_patch(\${settings.value}, \${json})\` : json,`,
    replace: 'value: json,',
    tests: ['worker/console/settings/settings.worker.test.ts'],
  },
  {
    name: 'mail-lost-on-failure',
    harm: 'A mail that failed once is never sent again.',
    file: 'worker/lib/mail/outbox.ts',
    find: 'const nextAttemptAt = isOver ? null : nowMs + computeBackOffMs(attempts)',
    replace: 'const nextAttemptAt = null',
    tests: ['worker/lib/mail/outbox.worker.test.ts'],
  },
  {
    name: 'mail-sent-twice',
    harm: 'A mail is delivered again after every lost answer.',
    file: 'worker/lib/mail/outbox.ts',
    find: `          mail.id,
        ),`,
    replace: `          newId(),
        ),`,
  },
  {
    name: 'delivered-mails-keep-their-codes',
    harm: 'Links and codes stay in the database after delivery.',
    file: 'worker/lib/mail/outbox.ts',
    find: '...(carrier.keepsMail ? {} : { sealed: null }),',
    replace: '',
  },
  {
    name: 'first-failure-stops-cron',
    harm: 'One failing job stops all the others.',
    file: 'worker/cron.ts',
    find: `      (error: unknown) => logFailure(name, error),
`,
    replace: `      (error: unknown) => {
        throw error
      },
`,
    tests: ['worker/console/health/health.worker.test.ts'],
  },
  {
    name: 'seal-without-details',
    harm: 'A line of the audit log can be changed after it was sealed.',
    file: 'worker/platform/audit/compare.ts',
    find: `JSON.stringify([id, at, actor, action, subject, detail]))
`,
    replace: `JSON.stringify([id, at, actor, action, subject]))
`,
  },
  {
    name: 'seals-not-chained',
    harm: 'A block of the audit log can be replaced.',
    file: 'worker/platform/audit/seal.ts',
    find: 'hash: await sealHash(previousHash, entries),',
    replace: 'hash: await sealHash(GENESIS, entries),',
  },
  {
    name: 'page-of-the-log-skipped',
    harm: 'Lines of the audit log are never sealed.',
    file: 'worker/platform/audit/seal.ts',
    find: `      sql\`DELETE FROM audit_unsealed WHERE seq <= \${end.seq}\`,`,
    replace: `      sql\`DELETE FROM audit_unsealed WHERE seq <= \${end.seq} + 1\`,`,
    tests: ['worker/platform/audit/audit.worker.test.ts'],
  },
  {
    name: 'credentials-logged',
    harm: 'Passwords stand in the log.',
    file: 'worker/identity/signIn/login.ts',
    find: `  const attempt = await beginSignIn(call, sent)
`,
    replace: `  console.info(JSON.stringify({ signIn: call.body }))
  const attempt = await beginSignIn(call, sent)
`,
  },
  {
    name: 'parameters-logged',
    harm: 'What a statement was about to write stands in the log whenever the database fails.',
    file: 'worker/lib/errors.ts',
    find: `  const said = last instanceof Error ? last.message.split('\\nparams:')[0] : 'unknown'
  return String(said).slice(0, 500)
`,
    replace: `  const said = error instanceof Error ? error.message : last
  return String(said)
`,
  },
]
