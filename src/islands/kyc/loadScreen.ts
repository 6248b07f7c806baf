import { getDecisionTimes } from '../../contract/decisionTimes.ts'
import { call } from '../lib/api.ts'
import { loadStanding } from './load.ts'

/** Loads how far the check of the investor's identity has come, and how long one takes: undefined where that can't be told. */
export async function loadScreen() {
  const [standing, times] = await Promise.all([loadStanding(), call(getDecisionTimes).catch(() => undefined)])
  return { standing, time: times?.identity }
}
