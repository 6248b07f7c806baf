import { SETTINGS } from '../../src/contract/console/settingList.ts'
import type { RefusalCode } from '../../src/contract/errors.ts'
import type { Details } from '../lib/errors.ts'
import { hasAuthenticatorApp, hasPasskey } from '../lib/hasSecondFactor.ts'
import { refuseIfSql } from './firstTrip.ts'

/** The signed-in user with everything that decisions about them need, read by the first round trip. */
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

/** SQL of the session that a bearer token names, shared by all statements of the opening. Parameters: `listSessionValues`. */
export const LIVE_SESSION = `s.id = ?1 AND s.secret_hash = ?2 AND s.ended_at IS NULL AND s.expires_at > ?3 AND s.last_seen_at > ?4
    AND s.user_id = ?5`

/** The session that a bearer token names. */
export interface SessionKey {
  readonly id: string
  readonly secretHash: string
  /** Whose session the token says it is. */
  readonly userId: string
}

/** The values of the parameters of `LIVE_SESSION`. Those of the statement itself start at `?6`. */
export function listSessionValues({ id, secretHash, userId }: SessionKey, nowMs: number): readonly unknown[] {
  return [id, secretHash, nowMs, nowMs - IDLE_MS, userId]
}

/** A rule about the actor: the refusal, and the same condition over the parsed actor and, for guards, in SQL. */
export interface Rule {
  readonly code: RefusalCode
  breaks(actor: Actor): boolean
  /** Further fields of the refusal. */
  details?(actor: Actor): Details
  readonly sql?: string
}

const KYC_REQUIRED = "coalesce((SELECT value FROM settings WHERE key = 'kycRequired'), 'true')"

const KNOWN_DEVICE =
  'EXISTS (SELECT 1 FROM devices d WHERE d.user_id = u.id AND d.device_hash = ?6 AND d.confirmed_at IS NOT NULL)'

/** Rules that a call may `require`. */
export const RULES = {
  /** Operators have no account books, and no operator may decide on their own requests. */
  investor: {
    code: 'forbidden',
    breaks: ({ role }) => role !== 'investor',
    sql: "u.role <> 'investor'",
  },
  unfrozen: {
    code: 'account_frozen',
    breaks: ({ frozen }) => frozen,
    sql: 'u.frozen_at IS NOT NULL',
  },
  kyc: {
    code: 'kyc_required',
    breaks: ({ kycRequired, kyc }) => kycRequired && kyc !== 'approved',
    sql: `${KYC_REQUIRED} <> 'false' AND u.kyc_status <> 'approved'`,
  },
} as const satisfies Record<string, Rule & { sql: string }>

/**
 * Reads the actor of a live session. No live session means no row, and 401.
 * @param guard SQL conditions over the user `u` that abort the batch, as no live session does; null never aborts it
 */
export function readActor(
  binding: D1Database,
  key: SessionKey,
  nowMs: number,
  deviceHash: string | null,
  guard: readonly string[] | null,
): D1PreparedStatement {
  const isRefused = ['u.id IS NULL', ...(guard ?? [])].join(' OR ')
  return binding
    .prepare(
      `SELECT u.id, u.role, u.operator_roles, u.email, u.display_name, u.frozen_at, u.kyc_status, u.security_changed_at,
              s.id AS session_id, s.created_at AS session_created_at, s.last_seen_at,
              s.confirmed_at IS NOT NULL ${deviceHash === null ? '' : `OR ${KNOWN_DEVICE}`} AS known,
              s.factor_at, s.factor_by,
              ${hasAuthenticatorApp('u.id')} AS has_app, ${hasPasskey('u.id')} AS has_passkey,
              CASE u.role WHEN 'operator' THEN (SELECT value FROM settings WHERE key = 'factorMinutes') END AS factor_minutes,
              CASE u.role WHEN 'operator' THEN (SELECT value FROM settings WHERE key = 'twoPersonLimit') END AS two_person_limit,
              ${KYC_REQUIRED} AS kyc_required
              ${refuseIfSql(isRefused, guard !== null)}
       FROM ${
         guard === null
           ? `sessions s JOIN users u ON u.id = s.user_id WHERE ${LIVE_SESSION}`
           : // A row in any case, for its guard.
             `(SELECT 1) LEFT JOIN sessions s ON ${LIVE_SESSION} LEFT JOIN users u ON u.id = s.user_id`
       }`,
    )
    .bind(...listSessionValues(key, nowMs), ...(deviceHash === null ? [] : [deviceHash]))
}

interface ActorRow {
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
export function parseActor(row: unknown): Actor {
  const r = row as ActorRow
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
export async function updateLastSeen(binding: D1Database, actor: Actor, nowMs: number): Promise<void> {
  await binding
    .prepare('UPDATE sessions SET last_seen_at = ?2 WHERE id = ?1 AND last_seen_at < ?2')
    .bind(actor.session.id, nowMs)
    .run()
}
