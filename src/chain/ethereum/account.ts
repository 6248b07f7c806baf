import { HARDENED_OFFSET, HDKey } from '@scure/bip32'
import { addr } from 'micro-eth-signer'
import { ChainError } from '../chainError.ts'

/** The public key of an account. It derives every address of the account, and cannot spend. */
export interface AccountKey {
  /** `[fingerprint/44h/60h/0h]xpub…`, or the xpub alone if its origin was not given. */
  readonly canonical: string
  /** The number of the account, counted from 0. */
  readonly account: number
  /** The key of the account's receiving addresses. */
  readonly receiving: HDKey
  /** The account's own key. */
  readonly key: HDKey
}

/**
 * Reads the extended public key of an Ethereum account, `m/44'/60'/account'` (BIP-32, BIP-44), with or without its origin as in output
 * descriptors (BIP-380). The account's number and depth are part of the key and are compared with the origin. That the wallet used the
 * purpose 44 and the coin 60 only the origin says, so the operator should compare the first address with the wallet.
 */
export function parseAccountKey(text: string): AccountKey {
  const typed = text.trim()
  if (/(?:^|\])[a-z]prv/i.test(typed) || /^(?:0x)?[0-9a-f]{64}$/i.test(typed) || isPhrase(typed)) {
    throw new ChainError(
      'private_key',
      'This is a secret that can spend. Never enter it anywhere but in your wallet. Only the public key (xpub) is needed here.',
    )
  }
  const [, origin, fingerprint, path, encoded] =
    /^(\[([0-9a-fA-F]{8})((?:\/\d{1,10}['hH]?)*)\])?([A-Za-z0-9]+)$/.exec(typed) ?? []
  if (encoded === undefined) {
    throw new ChainError(
      'not_an_account_key',
      'An account key is an xpub, with or without [fingerprint/44h/60h/0h].',
    )
  }
  if (/^[a-zA-Z]pub/.test(encoded) && !encoded.startsWith('xpub')) {
    throw new ChainError(
      'not_an_account_key',
      'This key is for Bitcoin or a test network. Ethereum uses an xpub.',
    )
  }
  const key = decode(encoded)
  if (key.depth !== ACCOUNT_DEPTH) {
    throw new ChainError(
      'wrong_depth',
      `This key is at depth ${key.depth} of the wallet. The key of an account, m/44'/60'/0', is at depth ${ACCOUNT_DEPTH}.`,
    )
  }
  if (key.index < HARDENED_OFFSET) {
    throw new ChainError(
      'not_an_account_key',
      "The account is not a hardened one. The path of an account is m/44'/60'/0'.",
    )
  }
  const account = key.index - HARDENED_OFFSET
  const expected = `/44h/60h/${account}h`
  if (origin !== undefined && path?.replaceAll(/['H]/g, 'h') !== expected) {
    throw new ChainError('wrong_origin', `The origin of this key must have the path ${expected.slice(1)}.`)
  }
  return {
    canonical: fingerprint === undefined ? encoded : `[${fingerprint.toLowerCase()}${expected}]${encoded}`,
    account,
    receiving: key.deriveChild(0),
    key,
  }
}

/** The address at this index, `m/44'/60'/account'/0/index`, with the EIP-55 checksum. */
export function depositAddress(account: AccountKey, index: number): string {
  if (!Number.isSafeInteger(index) || index < 0 || index >= HARDENED_OFFSET) {
    throw new ChainError(
      'invalid_index',
      `The index of an address is a whole number from 0 to ${HARDENED_OFFSET - 1}.`,
    )
  }
  const { publicKey } = account.receiving.deriveChild(index)
  if (publicKey === null) throw new Error('A derived key has no public key.')
  return addr.fromPublicKey(publicKey)
}

/**
 * The address from which the platform pays, `m/44'/60'/account'/1/0`: the account's first change address. No investor is given it, and the
 * account's owner moves deposits to it.
 */
export function deriveTreasuryAddress({ key }: AccountKey): string {
  const { publicKey } = key.deriveChild(1).deriveChild(0)
  if (publicKey === null) throw new Error('A derived key has no public key.')
  return addr.fromPublicKey(publicKey)
}

const ACCOUNT_DEPTH = 3

function decode(encoded: string): HDKey {
  try {
    return HDKey.fromExtendedKey(encoded)
  } catch {
    throw new ChainError(
      'not_an_account_key',
      'This is not an xpub, or it is mistyped: its checksum does not match.',
    )
  }
}

/** Whether this looks like a recovery phrase: 12 to 24 words. */
function isPhrase(text: string): boolean {
  return /^(?:[a-z]{3,8}\s+){11,23}[a-z]{3,8}$/i.test(text)
}
