import { twoFactorStanding } from '../../contract/auth.ts'
import { listPasskeys, type Passkey } from '../../contract/passkeys.ts'
import { call } from '../lib/api.ts'

export interface PasskeysShown {
  passkeys: readonly Passkey[]
  recoveryCodesLeft: number
  /** Without it there would be no second factor. */
  isOnlyFactor: boolean
}

export async function loadPasskeys(): Promise<PasskeysShown> {
  const [passkeys, standing] = await Promise.all([call(listPasskeys), call(twoFactorStanding)])
  return {
    passkeys,
    recoveryCodesLeft: standing.recoveryCodesLeft,
    isOnlyFactor: passkeys.length === 1 && !standing.methods.includes('totp'),
  }
}
