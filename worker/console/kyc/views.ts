import { type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { ActorCall } from '../../http/call.ts'
import { type RowOf, selectRows } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { kycSubmissions } from '../../lib/tables/kyc.ts'
import { factorRecoveries } from '../../lib/tables/people.ts'

type Caller = Pick<ActorCall, 'actor'>

const [k, r] = [alias(kycSubmissions, 'k'), alias(factorRecoveries, 'r')]

/** Whether the caller has opened a document since it was sent. */
export function readDocumentView(call: Caller, document: SQL) {
  return selectRows({ isViewed: isViewedSince(call, sql`k.created_at`) })
    .from(k)
    .where(sql`k.id = ${document}`)
}

/**
 * Whether the caller has opened the person's approved identity document since the removal of their second factor was requested. No
 * row without such a document.
 */
export function readDocumentViewOfRecovery(call: Caller, recovery: SQL) {
  return selectRows({ isViewed: isViewedSince(call, sql`r.filed_at`) })
    .from(r)
    .innerJoin(k, sql`k.user_id = r.investor AND k.kind = 'identity' AND k.status = 'approved'`)
    .where(sql`r.id = ${recovery} AND k.wrapped_key IS NOT NULL`)
}

function isViewedSince({ actor }: Caller, since: SQL): SQL<0 | 1> {
  return sql<0 | 1>`EXISTS (
    SELECT 1 FROM kyc_looks v WHERE v.submission_id = k.id AND v.reviewer = ${actor.id} AND v.at >= ${since})`
}

export type DocumentView = RowOf<typeof readDocumentView>

/** Refuses the decision until the operator has opened the document. */
export function assertViewed(document: DocumentView | undefined): void {
  if (document?.isViewed === 0) refuse('document_not_opened')
}
