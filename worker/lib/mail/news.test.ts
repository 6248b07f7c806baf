import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../../..')

const MAILBOX = 'what it asks for is done in the mailbox'
const STRANGER = 'it goes to a mailbox whose reader may have no account'
const OPERATOR = 'it goes to an operator or a witness: only investors have notifications'

/** The mails that are no notification, by the function that writes them, and why. */
const MAIL_ONLY: Readonly<Record<string, string>> = {
  'worker/console/messages/decide.ts replyToMessage': `for the contact form: ${STRANGER}`,
  'worker/console/operators/mails.ts buildFactorResetMail': OPERATOR,
  'worker/console/operators/mails.ts buildInvitationMail': OPERATOR,
  'worker/console/operators/mails.ts buildJoinedMail': OPERATOR,
  'worker/console/operators/mails.ts buildOperatorDisabledMail': OPERATOR,
  'worker/console/operators/mails.ts buildOperatorEnabledMail': OPERATOR,
  'worker/console/operators/mails.ts buildRolesChangedMail': OPERATOR,
  'worker/console/reviewerKeys/reviewerKeys.ts buildKeyProposedMail': OPERATOR,
  'worker/console/reviewerKeys/reviewerKeys.ts buildKeyRetiredMail': OPERATOR,
  'worker/console/selfCheck/mailFindings.ts buildFindingMail': OPERATOR,
  'worker/identity/emailChange/mails.ts buildAddressTakenMail': STRANGER,
  'worker/identity/emailChange/mails.ts buildConfirmNewMail': MAILBOX,
  'worker/identity/emailChange/mails.ts buildConfirmOldMail': MAILBOX,
  'worker/identity/factorRecovery/mails.ts buildCodeMail': MAILBOX,
  'worker/identity/factors/mailboxProof.ts buildCodeMail': MAILBOX,
  'worker/identity/preferences/optionalMail.ts buildOptionalMail':
    'news of the site, which a person can turn off',
  'worker/identity/signIn/mails.ts buildAccountClosedMail': 'nobody can sign in to read it',
  'worker/identity/signIn/mails.ts buildAlreadyClosedMail': 'nobody can sign in to read it',
  'worker/identity/signIn/mails.ts buildAlreadyRegisteredMail': STRANGER,
  'worker/identity/signIn/mails.ts buildResetMail': MAILBOX,
  'worker/identity/signIn/mails.ts buildSignInLinkMail': MAILBOX,
  'worker/identity/signIn/mails.ts buildVerificationMail': MAILBOX,
  'worker/money/destinations/mails.ts buildCodeMail': MAILBOX,
  'worker/money/withdrawals/mails.ts buildCodeMail': MAILBOX,
  'worker/investing/plans/confirm.ts buildPlanCodeMail': MAILBOX,
  'worker/outreach/newsletter/mails.ts write': STRANGER,
  'worker/platform/audit/witness.ts buildHeadMail': OPERATOR,
  'worker/chains/payouts/signers.ts listSignerMails': OPERATOR,
  'worker/console/work/assign.ts assignCase': OPERATOR,
  'worker/console/work/overdue.ts buildMail': OPERATOR,
}

test('every mail to an investor about their account is a notification, too', () => {
  const found = globSync('worker/**/*.ts', { cwd: root })
    .filter((file) => !file.includes('.test.') && file !== 'worker/lib/mail/compose.ts')
    .flatMap((file) => {
      const text = readFileSync(resolve(root, file), 'utf8')
      return [...text.matchAll(/\bcomposeMail\(/g)].map(({ index }) => {
        const [, writer] =
          [...text.slice(0, index).matchAll(/^(?:export )?(?:async )?function (\w+)/gm)].at(-1) ?? []
        return `${file} ${writer}`
      })
    })
  expect(found.sort()).toEqual(Object.keys(MAIL_ONLY).sort())
})
