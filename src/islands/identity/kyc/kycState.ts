import { type KycKind, type KycRecord, listKyc } from '../../../contract/identity/kyc.ts'
import { call } from '../../lib/api.ts'

export type KycState = { state: 'missing' } | { state: KycRecord['status']; record: KycRecord }

/** Takes the records as the API lists them, newest first. Only the newest counts. */
export function deriveKycState([newest]: readonly KycRecord[]): KycState {
  return newest === undefined ? { state: 'missing' } : { state: newest.status, record: newest }
}

/** The query for the record that counts. */
export const NEWEST = { limit: '1' } as const

/** The state of the identity document, or of the proof of address. */
export async function loadKycState(kind: KycKind = 'identity'): Promise<KycState> {
  return deriveKycState(await call(listKyc, { query: { ...NEWEST, ...(kind !== 'identity' && { kind }) } }))
}
