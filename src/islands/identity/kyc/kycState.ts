import { type KycRecord, listKyc } from '../../../contract/identity/kyc.ts'
import { call } from '../../lib/api.ts'

export type Standing =
  | { state: 'missing' }
  | { state: 'pending'; record: KycRecord }
  | { state: 'rejected'; record: KycRecord }
  | { state: 'approved'; record: KycRecord }

/** `records` as the API lists them, newest first: the newest one counts. */
export function standingOf([newest]: readonly KycRecord[]): Standing {
  return newest === undefined ? { state: 'missing' } : { state: newest.status, record: newest }
}

export async function loadStanding(): Promise<Standing> {
  return standingOf(await call(listKyc, { query: { limit: '1' } }))
}
