import { eq, sql } from 'drizzle-orm'
import {
  approveDepositBody,
  approveDeposit as approveDepositEndpoint,
} from '../../../src/contract/console/deposits.ts'
import { approveKycBody, approveKyc as approveKycEndpoint } from '../../../src/contract/console/kyc.ts'
import { SETTINGS } from '../../../src/contract/console/settingList.ts'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import type { Actor } from '../../http/actor.ts'
import { type ActorCall, type Call, commitEffect } from '../../http/call.ts'
import { sha256Hex } from '../../lib/crypto/tokens.ts'
import { type Database, type RowOf, readTogether, selectRows } from '../../lib/database.ts'
import { formatIsoDay } from '../../lib/days.ts'
import { findRefusal } from '../../lib/errors.ts'
import { foldName } from '../../lib/foldName.ts'
import { users } from '../../lib/tables/people.ts'
import { approveDeposit, loadDepositToCredit } from '../deposits/approve.ts'
import { deriveCreditAllowance } from '../deposits/deposit.ts'
import { approveSubmission, loadSubmissionToApprove } from '../kyc/decide.ts'

/** The practice reviewer: an operator that is a program. migrations/0028_practice.sql limits it. */
const PRACTICE = 'practice'
const NAME = 'Practice reviewer'
/** Why it goes on with a sample whose risk is high. */
const SAMPLE = 'A sample: it moves no money.'

type Sample = RowOf<typeof readSamples>

/**
 * Decides one investor's pending samples as the practice reviewer: approves a sample document, and credits deposits with a sample receipt
 * at the announced quantity. It calls the verbs that operators call. What takes two operators stays pending for people, as does
 * everything that a verb refuses. `given` is the call after which it decides. Call it only while no money is real.
 */
export async function decideSamples(given: Call, investor: string): Promise<void> {
  const { db, nowMs } = given
  const [samples, [reviewer]] = await readTogether(db, readSamples(investor), readReviewer())
  if (samples.length === 0 || reviewer?.disabledAt != null) return
  if (reviewer === undefined) await createReviewer(db, nowMs)
  for (const sample of samples) {
    try {
      await (sample.kind === 'document' ? approveDocument(given, sample) : creditDeposit(given, sample))
    } catch (error) {
      // Decided, cancelled or frozen meanwhile: people see it in their queue.
      if (findRefusal(error) === null) throw error
    }
  }
}

async function approveDocument(given: Call, { id }: Sample): Promise<void> {
  const call = createReviewerCall(given, approveKycEndpoint, id)
  const found = await loadSubmissionToApprove(call)
  const { submission } = found
  const { createdAt, investorCountry: country } = submission
  const data = submission.kind === 'address' ? { issuedOn: formatIsoDay(createdAt), country } : {}
  await approveSubmission(
    createCheckedCall(call, approveKycBody.parse({ ...data, riskReason: SAMPLE })),
    found,
  )
}

async function creditDeposit(given: Call, { id }: Sample): Promise<void> {
  const call = createReviewerCall(given, approveDepositEndpoint, id)
  const found = await loadDepositToCredit(call)
  const { deposit, risk } = found
  if (deposit.firstBy !== null || deriveCreditAllowance(found, risk, deposit.asked).needsTwo) return
  // Nothing was paid, so no chain gave this id. It is the same for each try.
  const reference = await sha256Hex(`practice:${id}`)
  await approveDeposit(
    createCheckedCall(call, approveDepositBody.parse({ reference, riskReason: SAMPLE })),
    found,
  )
}

/** An investor's pending samples. */
function readSamples(investor: string) {
  return selectRows({ kind: sql<'document' | 'deposit'>`kind`, id: sql<string>`id` }).from(sql`(
    SELECT 'document' AS kind, id FROM kyc_submissions WHERE user_id = ${investor} AND status = 'pending' AND sample = 1
    UNION ALL
    SELECT 'deposit', r.id FROM requests r JOIN deposit_details d ON d.request = r.id
    WHERE r.investor = ${investor} AND r.queue = 'deposits' AND r.status = 'pending' AND d.sample = 1)`)
}

function readReviewer() {
  return selectRows({ disabledAt: users.disabledAt }).from(users).where(eq(users.id, PRACTICE))
}

/** Creates the account with its first decision, unless another request was faster. No mail reaches its address. */
async function createReviewer(db: Database, nowMs: number): Promise<void> {
  const folded = foldName(NAME)
  await db.run(sql`
    INSERT INTO users (id, role, operator_roles, email, fullname, display_name, fullname_folded, display_name_folded, phone, country,
      password_hash, created_at, referral_code)
    SELECT ${PRACTICE}, 'operator', 'reviewer treasurer', ${PRACTICE}, ${NAME.toLowerCase()}, ${NAME}, ${folded}, ${folded}, '', '', '',
      ${nowMs}, ${PRACTICE}
    WHERE NOT EXISTS (SELECT 1 FROM users WHERE id = ${PRACTICE})`)
}

/** A call by the practice reviewer. It is no request of anybody: it has no session, and its changes are committed as an operator's are. */
function createReviewerCall(given: Call, endpoint: Endpoint, id: string): ActorCall {
  const frame = { ...given, endpoint, params: { id }, ip: '', userAgent: '', device: null }
  return {
    ...frame,
    actor: createReviewerActor(given.nowMs),
    commit: (effect) =>
      commitEffect({ ...frame, claim: null, fingerprint: async () => '' }, PRACTICE, effect),
  }
}

function createCheckedCall<Body>(call: ActorCall, body: Body) {
  return { ...call, body, query: undefined, pictures: {}, pdfs: {}, sealed: {} }
}

/** A program shows no second factor. The database lets it decide samples alone, whatever it would show. */
function createReviewerActor(nowMs: number): Actor {
  return {
    id: PRACTICE,
    role: 'operator',
    operatorRoles: 'reviewer treasurer',
    email: PRACTICE,
    displayName: NAME,
    frozen: false,
    kyc: 'none',
    kycRequired: true,
    twoFactor: false,
    factors: { totp: false, passkey: false },
    securityChangedAtMs: null,
    // The limit for one operator was checked before.
    acts: {
      factorMinutes: SETTINGS.factorMinutes.default,
      twoPersonLimitCents: Number.POSITIVE_INFINITY,
    },
    session: {
      id: '',
      createdAtMs: nowMs,
      lastSeenAtMs: nowMs,
      known: false,
      factor: { atMs: nowMs, by: 'passkey' },
    },
  }
}
