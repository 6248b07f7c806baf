import { eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { MOST_REFERRAL_BONUSES } from '../../../src/contract/money/referrals.ts'
import { formatCents } from '../../../src/contract/money.ts'
import { recordAudit } from '../../http/audit.ts'
import { grantBonus } from '../../ledger/post.ts'
import {
  type Database,
  type RowOf,
  readTogether,
  runBatch,
  type Statement,
  selectRows,
} from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { findDatabaseRefusal } from '../../lib/errors.ts'
import { buildLink, composeNews } from '../../lib/mail/compose.ts'
import { enqueueMail, type Mail } from '../../lib/mail/outbox.ts'
import { processItems } from '../../lib/processItems.ts'
import { referralBonuses, users } from '../../lib/tables/people.ts'
import { requests } from '../../lib/tables/requests.ts'

/** The most bonuses per run. */
const PAGE = 50
/** More than one bonus takes. */
const STATEMENTS = 12
/** The actor in ledger and audit log. Two operators approved the amount as a setting. */
const ACTOR = 'system'

type DueBonus = RowOf<typeof readDue>

/**
 * Grants the bonuses that have matured, for invited people who are identified. A bonus stays due while the invited person is not
 * identified or has a withdrawal open, the referrer is frozen, or the company's daily ceiling of credits is reached. It lapses as
 * soon as the deposit was reversed or its money was taken out again, ten bonuses were granted, or the referrer closed the account.
 * Each bonus is one batch, and an interrupted run grants none twice.
 */
export async function grantReferralBonuses(env: Env, db: Database, nowMs: number): Promise<void> {
  const [due] = await readTogether(db, readDue(nowMs))
  const decide = async (bonus: DueBonus) =>
    runBatch(
      db,
      bonus.hasLapsed === 1 ? recordLapse(db, bonus, nowMs) : await recordGrant(env, db, bonus, nowMs),
    )
  // A refusal means that another run decided it or its facts changed.
  await processItems(db, STATEMENTS, due, decide, (error) => findDatabaseRefusal(error) !== null)
}

function readDue(nowMs: number) {
  const grantedSoFar = sql`
    (SELECT count(*) FROM referral_bonuses g
     WHERE g.referrer = b.referrer AND g.granted_at IS NOT NULL AND g.reversed_at IS NULL)`
  // The invited person's deposits less their withdrawals, in cents. An open withdrawal may still be cancelled.
  const sumLeftSql = (kinds: SQL) => sql`
    (SELECT coalesce(-sum(a.balance), 0) FROM accounts a WHERE a.owner = b.invitee AND a.kind IN (${kinds}))`
  const [b, d] = [alias(referralBonuses, 'b'), alias(requests, 'd')]
  const [i, r] = [alias(users, 'i'), alias(users, 'r')]
  return selectRows({
    ...{ id: b.id, invitee: b.invitee, referrer: b.referrer, amount: b.amount },
    ...{ email: r.email, displayName: r.displayName },
    isReady: sql<0 | 1>`b.matures_at <= ${nowMs} AND i.kyc_status = 'approved' AND r.frozen_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM silent_freezes WHERE investor = r.id AND ended_at IS NULL)
      AND ${sumLeftSql(sql`'paid_in', 'paid_out', 'held'`)} >= b.minimum`,
    /** The deposit was reversed or its money taken out again, or the referrer closed the account or has the most bonuses. */
    hasLapsed: sql<0 | 1>`d.status <> 'approved' OR r.closed_at IS NOT NULL
      OR ${sumLeftSql(sql`'paid_in', 'paid_out'`)} < b.minimum OR ${grantedSoFar} >= ${MOST_REFERRAL_BONUSES}`,
  })
    .from(b)
    .innerJoin(i, eq(i.id, b.invitee))
    .innerJoin(r, eq(r.id, b.referrer))
    .innerJoin(d, eq(d.id, b.deposit))
    .where(sql`b.granted_at IS NULL AND b.lapsed_at IS NULL AND (hasLapsed OR isReady)`)
    .orderBy(b.dueAt)
    .limit(PAGE)
}

async function recordGrant(env: Env, db: Database, bonus: DueBonus, nowMs: number): Promise<Statement[]> {
  const { id, invitee, referrer, amount: amountCents } = bonus
  return [
    db.update(referralBonuses).set({ grantedAt: nowMs }).where(eq(referralBonuses.invitee, invitee)),
    grantBonus(db, { id, investor: referrer, amountCents }, { actor: ACTOR, nowMs }),
    recordAudit(
      db,
      ACTOR,
      { action: 'bonus.granted', subject: referrer, detail: { referral: id, amountCents } },
      nowMs,
    ),
    ...(await enqueueMail(env, buildGrantedMail(env, bonus), nowMs)),
  ]
}

function recordLapse(db: Database, { id, invitee, referrer }: DueBonus, nowMs: number): Statement[] {
  return [
    db.update(referralBonuses).set({ lapsedAt: nowMs }).where(eq(referralBonuses.invitee, invitee)),
    recordAudit(db, ACTOR, { action: 'referral.lapsed', subject: referrer, detail: { referral: id } }, nowMs),
  ]
}

/** Does not name the invited person. */
function buildGrantedMail(env: Env, { email, displayName, amount }: DueBonus): Mail {
  return composeNews(email, 'A referral bonus was added to your account', displayName, [
    `Somebody you invited left their first deposit with us, and we added a bonus of ${formatCents(amount)} to your account. It is available now.`,
    { label: 'See your referrals', href: buildLink(env, '/dashboard/referral-program') },
  ])
}
