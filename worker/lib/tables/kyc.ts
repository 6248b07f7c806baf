import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { KYC_DOCUMENT_NAMES, KYC_KINDS } from '../../../src/contract/identity/kyc.ts'

export const kycSubmissions = sqliteTable('kyc_submissions', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  ref: text('ref').notNull().unique(),
  userId: text('user_id').notNull(),
  status: text('status', { enum: ['pending', 'approved', 'rejected'] })
    .notNull()
    .default('pending'),
  document: text('document', { enum: KYC_DOCUMENT_NAMES }).notNull(),
  mediaType: text('media_type').notNull(),
  fileKey: text('file_key').notNull().unique(),
  wrappedKey: text('wrapped_key'),
  keyVersion: integer('key_version'),
  createdAt: integer('created_at').notNull(),
  reason: text('reason'),
  documentName: text('document_name'),
  decidedBy: text('decided_by'),
  decidedAt: integer('decided_at'),
  sealedBy: text('sealed_by', { enum: ['server', 'browser'] })
    .notNull()
    .default('server'),
  replacedFile: text('replaced_file'),
  shreddedAt: integer('shredded_at'),
  fileDeletedAt: integer('file_deleted_at'),
  sample: integer('sample').$type<0 | 1>().notNull().default(0),
  documentNumber: text('document_number'),
  documentExpiresOn: text('document_expires_on'),
  bornOn: text('born_on'),
  expiryToldAt: integer('expiry_told_at'),
  final: integer('final').$type<0 | 1>().notNull().default(0),
  reopening: text('reopening'),
  kind: text('kind', { enum: KYC_KINDS }).notNull().default('identity'),
  issuedOn: text('issued_on'),
  addressCountry: text('address_country'),
  pictureHash: text('picture_hash'),
  finalBy: text('final_by'),
  finalAt: integer('final_at'),
  finalReason: text('final_reason'),
})

export const screenings = sqliteTable('screenings', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  subject: text('subject').notNull(),
  investor: text('investor').notNull(),
  names: text('names').notNull(),
  payment: text('payment'),
  address: text('address'),
  list: text('list').notNull(),
  listDate: text('list_date'),
  listHash: text('list_hash').notNull(),
  listVersion: text('list_version').notNull(),
  hits: integer('hits').notNull(),
  matches: text('matches').notNull(),
  at: integer('at').notNull(),
})

export const sanctionsHits = sqliteTable('sanctions_hits', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  investor: text('investor').notNull(),
  entries: text('entries').notNull(),
  foundAt: integer('found_at').notNull(),
  clearedBy: text('cleared_by'),
  clearedAt: integer('cleared_at'),
  note: text('note'),
})

export const screeningPasses = sqliteTable('screening_passes', {
  listVersion: text('list_version').primaryKey(),
  afterRow: integer('after_row').notNull(),
  compared: integer('compared').notNull(),
  begunAt: integer('begun_at').notNull(),
  finishedAt: integer('finished_at'),
})

export const kycDocumentRecipients = sqliteTable(
  'kyc_document_recipients',
  {
    submissionId: text('submission_id').notNull(),
    recipient: text('recipient').notNull(),
  },
  (table) => [primaryKey({ columns: [table.submissionId, table.recipient] })],
)

export const kycLooks = sqliteTable('kyc_looks', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  submissionId: text('submission_id').notNull(),
  reviewer: text('reviewer').notNull(),
  at: integer('at').notNull(),
})

export const reviewerKeys = sqliteTable('reviewer_keys', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull().unique(),
  userId: text('user_id').notNull(),
  recipient: text('recipient').notNull().unique(),
  identity: text('identity').notNull(),
  method: text('method', { enum: ['passphrase', 'passkey'] }).notNull(),
  proposal: text('proposal').notNull().unique(),
  createdAt: integer('created_at').notNull(),
  approvedBy: text('approved_by'),
  approvedAt: integer('approved_at'),
  retiredBy: text('retired_by'),
  retiredAt: integer('retired_at'),
})
