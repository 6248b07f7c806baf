import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const users = sqliteTable('users', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  role: text('role', { enum: ['investor', 'operator'] }).notNull(),
  operatorRoles: text('operator_roles').notNull().default(''),
  email: text('email').notNull().unique(),
  fullname: text('fullname').notNull(),
  displayName: text('display_name').notNull(),
  fullnameFolded: text('fullname_folded').notNull().default(''),
  displayNameFolded: text('display_name_folded').notNull().default(''),
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

export const taxDetails = sqliteTable('tax_details', {
  investor: text('investor').primaryKey(),
  sealed: text('sealed').notNull(),
  changedAt: integer('changed_at').notNull(),
})

export const nameTokens = sqliteTable(
  'name_tokens',
  {
    token: text('token').notNull(),
    seq: integer('seq').notNull(),
  },
  (table) => [primaryKey({ columns: [table.token, table.seq] })],
)

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

export const registrations = sqliteTable('registrations', {
  id: text('id').primaryKey(),
  email: text('email').notNull(),
  fullname: text('fullname').notNull(),
  displayName: text('display_name').notNull(),
  phone: text('phone').notNull(),
  country: text('country').notNull(),
  passwordHash: text('password_hash').notNull(),
  referredBy: text('referred_by'),
  termsVersion: text('terms_version'),
  deviceHash: text('device_hash').notNull(),
  network: text('network').notNull(),
  createdAt: integer('created_at').notNull(),
})

export const emailTokens = sqliteTable('email_tokens', {
  tokenHash: text('token_hash').primaryKey(),
  userId: text('user_id').notNull(),
  purpose: text('purpose', { enum: ['reset-password', 'sign-in'] }).notNull(),
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
  mailed: integer('mailed', { mode: 'boolean' }).notNull().default(false),
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

export const passkeys = sqliteTable('passkeys', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  userId: text('user_id').notNull(),
  credentialId: text('credential_id').notNull().unique(),
  publicKey: text('public_key').notNull(),
  signCount: integer('sign_count').notNull(),
  transports: text('transports').notNull(),
  name: text('name').notNull(),
  backedUp: integer('backed_up').notNull(),
  createdAt: integer('created_at').notNull(),
  lastUsedAt: integer('last_used_at'),
})

export const readKeys = sqliteTable('read_keys', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  investor: text('investor').notNull(),
  kind: text('kind', { enum: ['program', 'guest'] }).notNull(),
  name: text('name').notNull(),
  tokenHash: text('token_hash').notNull().unique(),
  /** A JSON array of ranges of addresses. */
  networks: text('networks').notNull(),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
  lastUsedAt: integer('last_used_at'),
  revokedAt: integer('revoked_at'),
})

export const readKeyKinds = sqliteTable('read_key_kinds', {
  kind: text('kind').primaryKey(),
})

export const passkeyChallenges = sqliteTable('passkey_challenges', {
  challengeHash: text('challenge_hash').primaryKey(),
  userId: text('user_id').notNull(),
  purpose: text('purpose', {
    enum: ['register', 'sign-in', 'sign-in-alone', 'withdrawal', 'account', 'act'],
  }).notNull(),
  context: text('context').notNull(),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
  usedAt: integer('used_at'),
  usedBy: text('used_by'),
})

export const emailChanges = sqliteTable('email_changes', {
  id: text('id').primaryKey(),
  userId: text('user_id').notNull(),
  sessionId: text('session_id').notNull(),
  oldEmail: text('old_email').notNull(),
  newEmail: text('new_email').notNull(),
  oldTokenHash: text('old_token_hash').notNull().unique(),
  newTokenHash: text('new_token_hash').notNull().unique(),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
  oldConfirmedAt: integer('old_confirmed_at'),
  newConfirmedAt: integer('new_confirmed_at'),
  completedAt: integer('completed_at'),
  endedAt: integer('ended_at'),
})

export const factorRecoveries = sqliteTable('factor_recoveries', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  investor: text('investor').notNull(),
  codeHash: text('code_hash').notNull(),
  tries: integer('tries').notNull().default(0),
  askedAt: integer('asked_at').notNull(),
  expiresAt: integer('expires_at'),
  filedAt: integer('filed_at'),
  proposal: text('proposal').unique(),
  effectiveAt: integer('effective_at'),
  remindedAt: integer('reminded_at'),
  endedAt: integer('ended_at'),
  outcome: text('outcome', { enum: ['completed', 'stopped', 'rejected'] }),
})

const createChoice = (column: string, byDefault: boolean) =>
  integer(column, { mode: 'boolean' }).notNull().default(byDefault)

export const preferences = sqliteTable('preferences', {
  userId: text('user_id').primaryKey(),
  activityLog: createChoice('activity_log', true),
  unusualActivity: createChoice('unusual_activity', true),
  newBrowserSignIn: createChoice('new_browser_sign_in', false),
  salesNews: createChoice('sales_news', true),
  features: createChoice('features', true),
  tips: createChoice('tips', true),
  changedAt: integer('changed_at').notNull(),
})

export const referralBonuses = sqliteTable('referral_bonuses', {
  invitee: text('invitee').primaryKey(),
  id: text('id').notNull().unique(),
  referrer: text('referrer').notNull(),
  amount: integer('amount').notNull(),
  setting: text('setting').notNull(),
  deposit: text('deposit').notNull(),
  minimum: integer('minimum').notNull(),
  dueAt: integer('due_at').notNull(),
  maturesAt: integer('matures_at').notNull(),
  grantedAt: integer('granted_at'),
  lapsedAt: integer('lapsed_at'),
  reversedAt: integer('reversed_at'),
})
