import { eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { SETTINGS } from '../../src/contract/console/settingList.ts'
import type { RefusalCode } from '../../src/contract/errors.ts'
import { type Database, type RowOf, selectRows } from '../lib/database.ts'
import { type Details, refuse } from '../lib/errors.ts'
import { hasAuthenticatorApp, hasPasskey } from '../lib/hasSecondFactor.ts'
import { sessions, users } from '../lib/tables/people.ts'

/** The signed-in user with everything that decisions about them need. */
export interface Actor {
  readonly id: string
  readonly role: 'investor' | 'operator'
  readonly operatorRoles: string
  readonly email: string
  readonly displayName: string
  readonly frozen: boolean
  readonly kyc: 'none' | 'pending' | 'approved' | 'rejected'
  /** Whether the settings require an approved identity before money moves. */
  readonly kycRequired: boolean
  /** Whether any second factor is on. */
  readonly twoFactor: boolean
  /** Which kinds of second factor are on. */
  readonly factors: { readonly totp: boolean; readonly passkey: boolean }
  readonly securityChangedAtMs: number | null
  /** The settings for acts that move money. */
  readonly acts: { readonly factorMinutes: number; readonly twoPersonLimitCents: number }
  readonly session: {
    readonly id: string
    readonly createdAtMs: number
    readonly lastSeenAtMs: number
    /** Whether a withdrawal was confirmed from this session or this device. */
    readonly known: boolean
    /** The last second factor shown in this session, and when; null if none was. */
    readonly factor: { readonly atMs: number; readonly by: 'totp' | 'passkey' } | null
  }
}

/** A program or a guest with a key of an investor, whose id and name these are. It has no session, so nothing can be decided by one. */
export interface KeyReader extends Pick<Actor, 'id' | 'displayName'> {
  readonly key: { readonly name: string; readonly kind: 'program' | 'guest'; readonly expiresAt: number }
}

/** Who reads an account: its owner, or a key. */
export type Reader = Actor | KeyReader

/** Destinations and references of other people are withheld from keys. */
export function isKey(reader: Reader): reader is KeyReader {
  return 'key' in reader
}

const SESSION_HOURS = 24
const IDLE_HOURS = 2
export const SESSION_MS = SESSION_HOURS * 3_600_000
export const IDLE_MS = IDLE_HOURS * 3_600_000

/** The session that a bearer token names. */
export interface SessionKey {
  readonly id: string
  readonly secretHash: string
  /** Whose session the token says it is. */
  readonly userId: string
}

/** SQL: whether the session `s` is the one that a bearer token names, and live. */
export function isLiveSession({ id, secretHash, userId }: SessionKey, nowMs: number): SQL {
  return sql`s.id = ${id} AND s.secret_hash = ${secretHash} AND s.ended_at IS NULL AND s.expires_at > ${nowMs}
    AND s.last_seen_at > ${nowMs - IDLE_MS} AND s.user_id = ${userId}`
}

/** SQL: the actor's id; NULL without a live session. */
export function selectActorId(session: SessionKey, nowMs: number): SQL {
  return sql`(SELECT s.user_id FROM sessions s WHERE ${isLiveSession(session, nowMs)})`
}

/** A rule about the actor, and its refusal. */
export interface Rule {
  readonly code: RefusalCode
  breaks(actor: Actor): boolean
  /** Further fields of the refusal. */
  details?(actor: Actor): Details
}

/** Rules that a call may require. */
export const RULES = {
  /** Operators have no account books, and no operator may decide on their own requests. */
  investor: {
    code: 'forbidden',
    breaks: ({ role }) => role !== 'investor',
  },
  unfrozen: {
    code: 'account_frozen',
    breaks: ({ frozen }) => frozen,
  },
  kyc: {
    code: 'kyc_required',
    breaks: ({ kycRequired, kyc }) => kycRequired && kyc !== 'approved',
  },
} as const satisfies Record<string, Rule>

/** Refuses an actor who breaks the rule. */
export function assertRule(actor: Actor, { code, breaks, details }: Rule): void {
  if (breaks(actor)) refuse(code, details?.(actor))
}

/** Reads the actor of a live session. No live session means no row. `deviceHash` is empty without a device. */
export function readActor(session: SessionKey, nowMs: number, deviceHash: string) {
  const { id, role, operatorRoles, email, displayName, frozenAt, kycStatus, securityChangedAt } = u
  const { createdAt, lastSeenAt, factorAt, factorBy } = s
  return selectRows({
    ...{ id, role, operatorRoles, email, displayName, frozenAt, kycStatus, securityChangedAt },
    ...{ sessionId: s.id, createdAt, lastSeenAt, factorAt, factorBy },
    known: sql<0 | 1>`s.confirmed_at IS NOT NULL OR EXISTS (
      SELECT 1 FROM devices d
      WHERE d.user_id = u.id AND d.device_hash = ${deviceHash} AND d.confirmed_at IS NOT NULL)`,
    hasApp: sql<0 | 1>`${sql.raw(hasAuthenticatorApp('u.id'))}`,
    hasPasskey: sql<0 | 1>`${sql.raw(hasPasskey('u.id'))}`,
    factorMinutes: selectOperatorSetting('factorMinutes'),
    twoPersonLimit: selectOperatorSetting('twoPersonLimit'),
    kycRequired: sql<string>`coalesce((SELECT value FROM settings WHERE key = 'kycRequired'), 'true')`,
  })
    .from(s)
    .innerJoin(u, eq(u.id, s.userId))
    .where(isLiveSession(session, nowMs))
}
const [s, u] = [alias(sessions, 's'), alias(users, 'u')]

/** SQL: the stored value of a setting that only operators need; NULL for the default, and for investors. */
function selectOperatorSetting(key: 'factorMinutes' | 'twoPersonLimit') {
  return sql<
    string | null
  >`CASE u.role WHEN 'operator' THEN (SELECT value FROM settings WHERE key = ${key}) END`
}

/** Parses a row of `readActor`. */
export function parseActor({
  frozenAt,
  kycStatus: kyc,
  securityChangedAt: securityChangedAtMs,
  ...row
}: RowOf<typeof readActor>): Actor {
  const { id, role, operatorRoles, email, displayName, factorAt, factorBy } = row
  const factors = { totp: row.hasApp === 1, passkey: row.hasPasskey === 1 }
  return {
    ...{ id, role, operatorRoles, email, displayName, kyc, factors, securityChangedAtMs },
    frozen: frozenAt !== null,
    kycRequired: row.kycRequired !== 'false',
    twoFactor: factors.totp || factors.passkey,
    acts: {
      factorMinutes: Number(row.factorMinutes ?? SETTINGS.factorMinutes.default),
      twoPersonLimitCents: Number(row.twoPersonLimit ?? SETTINGS.twoPersonLimit.default),
    },
    session: {
      id: row.sessionId,
      createdAtMs: row.createdAt,
      lastSeenAtMs: row.lastSeenAt,
      known: row.known === 1,
      factor: factorAt === null || factorBy === null ? null : { atMs: factorAt, by: factorBy },
    },
  }
}

/** Whether the idle limit is extended: at most once a minute for each session. */
export function isTouchDue({ session }: Actor, nowMs: number): boolean {
  return nowMs - session.lastSeenAtMs >= 60_000
}

/** Extends the idle limit. */
export async function updateLastSeen(db: Database, { session }: Actor, nowMs: number): Promise<void> {
  await db.run(
    sql`UPDATE sessions SET last_seen_at = ${nowMs} WHERE id = ${session.id} AND last_seen_at < ${nowMs}`,
  )
}
