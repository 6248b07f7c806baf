import { type SQL, sql } from 'drizzle-orm'
import { SETTINGS } from '../../src/contract/console/settingList.ts'
import type { RefusalCode } from '../../src/contract/errors.ts'
import { buildQuery, type Database, type RowQuery } from '../lib/database.ts'
import { type Details, refuse } from '../lib/errors.ts'
import { hasAuthenticatorApp, hasPasskey } from '../lib/hasSecondFactor.ts'

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
export function readActor(session: SessionKey, nowMs: number, deviceHash: string): RowQuery<ActorRow> {
  return buildQuery(sql`
    SELECT u.id, u.role, u.operator_roles, u.email, u.display_name, u.frozen_at, u.kyc_status, u.security_changed_at,
           s.id AS session_id, s.created_at AS session_created_at, s.last_seen_at,
           s.confirmed_at IS NOT NULL OR EXISTS (
             SELECT 1 FROM devices d
             WHERE d.user_id = u.id AND d.device_hash = ${deviceHash} AND d.confirmed_at IS NOT NULL) AS known,
           s.factor_at, s.factor_by,
           ${sql.raw(hasAuthenticatorApp('u.id'))} AS has_app, ${sql.raw(hasPasskey('u.id'))} AS has_passkey,
           CASE u.role WHEN 'operator' THEN (SELECT value FROM settings WHERE key = 'factorMinutes') END AS factor_minutes,
           CASE u.role WHEN 'operator' THEN (SELECT value FROM settings WHERE key = 'twoPersonLimit') END AS two_person_limit,
           coalesce((SELECT value FROM settings WHERE key = 'kycRequired'), 'true') AS kyc_required
    FROM sessions s JOIN users u ON u.id = s.user_id WHERE ${isLiveSession(session, nowMs)}`)
}

export interface ActorRow {
  id: string
  role: 'investor' | 'operator'
  operator_roles: string
  email: string
  display_name: string
  frozen_at: number | null
  kyc_status: Actor['kyc']
  security_changed_at: number | null
  session_id: string
  session_created_at: number
  last_seen_at: number
  known: number
  factor_at: number | null
  factor_by: 'totp' | 'passkey' | null
  has_app: number
  has_passkey: number
  factor_minutes: string | null
  two_person_limit: string | null
  kyc_required: string
}

/** Parses a row of `readActor`. */
export function parseActor(r: ActorRow): Actor {
  return {
    id: r.id,
    role: r.role,
    operatorRoles: r.operator_roles,
    email: r.email,
    displayName: r.display_name,
    frozen: r.frozen_at !== null,
    kyc: r.kyc_status,
    kycRequired: r.kyc_required !== 'false',
    twoFactor: r.has_app === 1 || r.has_passkey === 1,
    factors: { totp: r.has_app === 1, passkey: r.has_passkey === 1 },
    acts: {
      factorMinutes: Number(r.factor_minutes ?? SETTINGS.factorMinutes.default),
      twoPersonLimitCents: Number(r.two_person_limit ?? SETTINGS.twoPersonLimit.default),
    },
    securityChangedAtMs: r.security_changed_at,
    session: {
      id: r.session_id,
      createdAtMs: r.session_created_at,
      lastSeenAtMs: r.last_seen_at,
      known: r.known === 1,
      factor: r.factor_at === null || r.factor_by === null ? null : { atMs: r.factor_at, by: r.factor_by },
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
