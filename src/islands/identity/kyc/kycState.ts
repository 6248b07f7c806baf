import { type KycRecord, listKyc } from '../../../contract/identity/kyc.ts'
import { call } from '../../lib/api.ts'

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

/** Loads how far the check of the investor's identity has come. */
export async function loadStanding(): Promise<Standing> {
  return standingOf(await call(listKyc, { query: { limit: '1' } }))
}
