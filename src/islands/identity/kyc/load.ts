import { listKyc } from '../../../contract/identity/kyc.ts'
import { call } from '../../lib/api.ts'
import { type Standing, standingOf } from './standing.ts'

/** Loads how far the check of the investor's identity has come. */
export async function loadStanding(): Promise<Standing> {
  return standingOf(await call(listKyc, { query: { limit: '1' } }))
}
