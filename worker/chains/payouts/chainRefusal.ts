import { ChainError } from '../../../src/chain/chainError.ts'
import { refuse, refuseField } from '../../lib/errors.ts'

/** Runs a step of `src/chain` on behalf of an operator. A violated rule becomes a refusal in its words. */
export function refuseChainErrors<T>(step: () => T): T {
  try {
    return step()
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    const { code, message: msg } = error
    switch (code) {
      case 'insufficient_coins':
        return refuse('not_enough_coins', {
          msg: `The wallet has not enough coins that can be spent now. ${msg}`,
        })
      case 'fee_too_low':
      case 'fee_too_high':
        return refuseField('fee', msg)
      default:
        return refuseField('withdrawals', msg)
    }
  }
}
