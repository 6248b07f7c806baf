import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const users = sqliteTable('users', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  role: text('role', { enum: ['investor', 'operator'] }).notNull(),
  operatorRoles: text('operator_roles').notNull().default(''),
  email: text('email').notNull().unique(),
  fullname: text('fullname').notNull(),
  displayName: text('display_name').notNull(),
  phone: text('phone').notNull(),
  country: text('country').notNull(),
  address: text('address'),
  maritalStatus: text('marital_status'),
  gender: text('gender'),
  passwordHash: text('password_hash').notNull(),
  emailVerifiedAt: integer('email_verified_at'),
  createdAt: integer('created_at').notNull(),
  referralCode: text('referral_code').notNull().unique(),
  referredBy: text('referred_by'),
  termsVersion: text('terms_version'),
  termsAcceptedAt: integer('terms_accepted_at'),
  securityChangedAt: integer('security_changed_at'),
  frozenAt: integer('frozen_at'),
  frozenReason: text('frozen_reason'),
  lockedAt: integer('locked_at'),
  kycStatus: text('kyc_status', { enum: ['none', 'pending', 'approved', 'rejected'] })
    .notNull()
    .default('none'),
  closedAt: integer('closed_at'),
  erasedAt: integer('erased_at'),
  disabledAt: integer('disabled_at'),
  disabledBy: text('disabled_by'),
  disabledReason: text('disabled_reason'),
  accessProposal: text('access_proposal'),
})

export const sessions = sqliteTable('sessions', {
  id: text('id').primaryKey(),
  userId: text('user_id').notNull(),
  secretHash: text('secret_hash').notNull(),
  createdAt: integer('created_at').notNull(),
  lastSeenAt: integer('last_seen_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
  endedAt: integer('ended_at'),
  confirmedAt: integer('confirmed_at'),
  deviceHash: text('device_hash'),
  ip: text('ip'),
  userAgent: text('user_agent'),
  factorAt: integer('factor_at'),
  factorBy: text('factor_by', { enum: ['totp', 'passkey'] }),
})

export const devices = sqliteTable(
  'devices',
  {
    userId: text('user_id').notNull(),
    deviceHash: text('device_hash').notNull(),
    firstSeenAt: integer('first_seen_at').notNull(),
    confirmedAt: integer('confirmed_at'),
    lastSeenAt: integer('last_seen_at'),
  },
  (table) => [primaryKey({ columns: [table.userId, table.deviceHash] })],
)

export const emailTokens = sqliteTable('email_tokens', {
  tokenHash: text('token_hash').primaryKey(),
  userId: text('user_id').notNull(),
  purpose: text('purpose', { enum: ['verify-email', 'reset-password'] }).notNull(),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
  usedAt: integer('used_at'),
})

export const secondFactors = sqliteTable('second_factors', {
  userId: text('user_id').primaryKey(),
  secretSealed: text('secret_sealed').notNull(),
  createdAt: integer('created_at').notNull(),
  enabledAt: integer('enabled_at'),
  lastStep: integer('last_step').notNull().default(0),
})

export const codeFailures = sqliteTable('code_failures', {
  id: text('id').primaryKey(),
  userId: text('user_id').notNull(),
  at: integer('at').notNull(),
  told: integer('told', { mode: 'boolean' }).notNull().default(false),
})

export const recoveryCodes = sqliteTable(
  'recovery_codes',
  {
    userId: text('user_id').notNull(),
    codeHash: text('code_hash').notNull(),
    usedAt: integer('used_at'),
    createdAt: integer('created_at').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
)
