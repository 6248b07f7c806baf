import * as z from 'zod/mini'
import { refuseValue } from '../common.ts'
import { requiredLines } from '../fields.ts'
import { CHAINS } from '../money/payments.ts'

/** Private keys as wallets write them: extended, for import, and raw. */
const KEYS: readonly RegExp[] = [
  /(?<![0-9A-Za-z])[A-Za-z]prv[0-9A-Za-z]{8,}/,
  /(?<![0-9A-Za-z])(?:5[1-9A-HJ-NP-Za-km-z]{50}|[KLc9][1-9A-HJ-NP-Za-km-z]{50,51})(?![0-9A-Za-z])/,
  /(?<![0-9A-Za-z])(?:0x)?[0-9a-fA-F]{64}(?![0-9A-Za-z])/,
]
/** The words of a wallet's backup, which ordinary sentences resemble. */
const BACKUP = /(?:^|[^a-z])(?:[a-z]{3,8}[\s,]+){11,}[a-z]{3,8}(?![a-z])/i

const SECRET_REFUSED =
  'This contains a secret that can spend, such as a private key. Never enter one here. Treat it as stolen and move its coins to a new wallet'

function hasPrivateKey(text: string): boolean {
  return KEYS.some((key) => key.test(text))
}

/** A public descriptor or account key. A secret is refused before anything reads it. */
export function publicKeyField() {
  return z.pipe(
    requiredLines('Please give the descriptor or the account’s public key', 4_000),
    z.transform((value, context) =>
      hasPrivateKey(value) || BACKUP.test(value) ? refuseValue(context, SECRET_REFUSED) : value,
    ),
  )
}

/** A field for text beside a wallet. It refuses private keys. */
export function requireNoPrivateKey(empty: string, max: number) {
  return z.pipe(
    requiredLines(empty, max),
    z.transform((value, context) => (hasPrivateKey(value) ? refuseValue(context, SECRET_REFUSED) : value)),
  )
}

export const watchChain = z.enum(CHAINS, { error: 'Please choose bitcoin or ethereum' })
