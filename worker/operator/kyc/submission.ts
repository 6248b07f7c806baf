import { type SQL, sql } from 'drizzle-orm'
import type { OperatorKyc } from '../../../src/contract/operator/kyc.ts'
import { type Read, reading } from '../../lib/database.ts'
import { iso } from '../../lib/paging.ts'
import { investorOf } from '../requests.ts'

/** An identity document that was submitted, without the document. */
export interface Submission {
  readonly seq: number
  readonly id: string
  readonly ref: string
  readonly status: 'pending' | 'approved' | 'rejected'
  readonly document: 'Passport'
  readonly mediaType: string
  readonly fileKey: string
  readonly wrappedKey: string | null
  readonly createdAt: number
  readonly reason: string | null
  readonly decidedByName: string | null
  readonly investor: string
  readonly investorName: string
  readonly investorEmail: string
}

/** Submissions `k`, newest first, that meet a condition. */
export function readSubmissions(where: SQL, limit: number): Read<Submission> {
  return reading(sql`
    SELECT k.seq, k.id, k.ref, k.status, k.document, k.media_type AS mediaType, k.file_key AS fileKey,
           k.wrapped_key AS wrappedKey, k.created_at AS createdAt, k.reason, d.display_name AS decidedByName,
           k.user_id AS investor, u.display_name AS investorName, u.email AS investorEmail
    FROM kyc_submissions k JOIN users u ON u.id = k.user_id LEFT JOIN users d ON d.id = k.decided_by
    WHERE ${where} ORDER BY k.seq DESC LIMIT ${limit}`)
}

export function submissionRow(submission: Submission): OperatorKyc {
  return {
    _id: submission.id,
    ref: submission.ref,
    investor: investorOf(submission),
    status: submission.status,
    createdAt: iso(submission.createdAt),
    document: submission.document,
    mediaType: submission.mediaType,
    reason: submission.reason,
    decidedBy: submission.decidedByName,
  }
}
