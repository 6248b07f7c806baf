import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

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

export const passkeyChallenges = sqliteTable('passkey_challenges', {
  challengeHash: text('challenge_hash').primaryKey(),
  userId: text('user_id').notNull(),
  purpose: text('purpose', { enum: ['register', 'sign-in', 'withdrawal', 'account', 'act'] }).notNull(),
  context: text('context').notNull(),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
  usedAt: integer('used_at'),
  usedBy: text('used_by'),
})
