import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const kycSubmissions = sqliteTable('kyc_submissions', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  ref: text('ref').notNull().unique(),
  userId: text('user_id').notNull(),
  status: text('status', { enum: ['pending', 'approved', 'rejected'] })
    .notNull()
    .default('pending'),
  document: text('document', { enum: ['Passport'] }).notNull(),
  mediaType: text('media_type').notNull(),
  fileKey: text('file_key').notNull().unique(),
  wrappedKey: text('wrapped_key'),
  keyVersion: integer('key_version'),
  createdAt: integer('created_at').notNull(),
  reason: text('reason'),
  decidedBy: text('decided_by'),
  decidedAt: integer('decided_at'),
  shreddedAt: integer('shredded_at'),
  fileDeletedAt: integer('file_deleted_at'),
})
