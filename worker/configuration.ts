import { type Site, site } from '../src/site.ts'
import { isBitcoinConfigured, isEthereumConfigured } from './chains/servers/configuration.ts'
import { isCandlesConfigured } from './investing/candles/provider.ts'
import { isVenueConfigured } from './investing/venueAccount/configuration.ts'
import { parseKeys } from './lib/crypto/vault.ts'
import { type Env, isDevelopment, isMoneyReal } from './lib/env.ts'
import { isAgeRecipient } from './lib/files/age.ts'
import { findCarrier } from './lib/mail/carriers.ts'

/**
 * The names of missing or malformed secrets and settings, without which the Worker refuses every request. Never returns values. Real
 * money requires more settings.
 */
export function listMissingConfiguration(env: Env, mode: Site['mode'] = site.mode): string[] {
  const isReal = isMoneyReal(env, mode)
  return [
    ...(hasValidKeys(env.VAULT_KEYS) ? [] : ['VAULT_KEYS']),
    ...(isOrigin(env) ? [] : ['PUBLIC_ORIGIN']),
    ...(isRecoverable(env) && !(isReal && !env.KYC_RECOVERY_RECIPIENT) ? [] : ['KYC_RECOVERY_RECIPIENT']),
    ...(isReal && findCarrier(env) === null ? ['SEND_EMAIL or RESEND_API_KEY, with MAIL_FROM'] : []),
    ...(isCandlesConfigured(env) ? [] : ['CANDLES_PROVIDER or CANDLES_BASE_URL']),
    ...(isVenueConfigured(env, mode) ? [] : ['VENUE, VENUE_BASE_URL, VENUE_KEY or VENUE_SECRET']),
    ...(isReal && !env.MARKET_BASE_URL ? ['MARKET_BASE_URL'] : []),
    ...(isAddressOrNone(env.AUDIT_WITNESS_ADDRESS) ? [] : ['AUDIT_WITNESS_ADDRESS']),
    ...(isBitcoinConfigured(env, mode) ? [] : ['BITCOIN_SERVERS, BITCOIN_NETWORK or BITCOIN_CHECKPOINT']),
    ...(isEthereumConfigured(env, mode) ? [] : ['ETHEREUM_SERVERS, ETHEREUM_CHAIN_ID or ETHEREUM_TOKENS']),
  ]
}

function isAddressOrNone(address = ''): boolean {
  return address === '' || /^[^\s@,;<>]+@[^\s@,;<>]+\.[^\s@,;<>]+$/.test(address)
}

function hasValidKeys(vaultKeys: string | undefined): boolean {
  try {
    return parseKeys(vaultKeys ?? '').size > 0
  } catch {
    return false
  }
}

/** Mail links begin with it and `Origin` is compared with it. Only development may use HTTP. */
function isOrigin(env: Env): boolean {
  const { PUBLIC_ORIGIN: origin } = env
  if (!URL.canParse(origin)) return false
  const url = new URL(origin)
  return url.origin === origin && (url.protocol === 'https:' || isDevelopment(env))
}

// It may be missing until a reviewer has a key. A misspelt one would make documents unrecoverable.
function isRecoverable({ KYC_RECOVERY_RECIPIENT: recipient = '' }: Env): boolean {
  return recipient === '' || isAgeRecipient(recipient)
}
