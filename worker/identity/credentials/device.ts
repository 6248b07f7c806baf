import type { Call } from '../../http/call.ts'
import { type Device, deviceCookie, newDevice } from '../../http/deviceCookie.ts'
import type { Statement } from '../../lib/database.ts'
import { devices } from '../../lib/tables/people.ts'

/**
 * The device behind a sign-in, and the cookie to give it where it needs one. A device that this account does not know
 * becomes another one: a value that was about before, which somebody else may have copied from this browser or planted in
 * it, never becomes known for the account.
 */
export async function deviceOf(
  { env, device: carried }: Call,
  isKnown: boolean,
): Promise<{ device: Device; cookie: string | null }> {
  const device = carried !== null && isKnown ? carried : await newDevice()
  return { device, cookie: device.isFresh ? null : await deviceCookie(env, device) }
}

/** Remembers that somebody signed in from this device. */
export function rememberDevice(call: Call, userId: string, deviceHash: string): Statement {
  const { db, nowMs } = call
  return db
    .insert(devices)
    .values({ userId, deviceHash, firstSeenAt: nowMs, lastSeenAt: nowMs })
    .onConflictDoUpdate({ target: [devices.userId, devices.deviceHash], set: { lastSeenAt: nowMs } })
}
