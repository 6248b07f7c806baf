import type { KycRecord } from '../../../contract/identity/kyc.ts'

/** How far the check of someone's identity has come. */
export type Standing =
  | { state: 'missing' }
  | { state: 'pending'; record: KycRecord }
  | { state: 'rejected'; record: KycRecord }
  | { state: 'approved'; record: KycRecord }

/** By the records as the API lists them, newest first: the newest one counts. */
export function standingOf([newest]: readonly KycRecord[]): Standing {
  return newest === undefined ? { state: 'missing' } : { state: newest.status, record: newest }
}
