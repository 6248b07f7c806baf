import type { OperatorInvestor } from '../../../contract/console/investors.ts'

/** How far the verification of somebody's identity is. */
export function identityWord(kyc: OperatorInvestor['kyc']): string {
  return kyc === 'none' ? 'Nothing sent' : kyc.charAt(0).toUpperCase() + kyc.slice(1)
}
