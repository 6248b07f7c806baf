import { type Site, site } from '../../src/site.ts'

/** What the Worker is given: bindings of wrangler.toml, variables and secrets. */
export interface Env {
  DB: D1Database
  FILES: R2Bucket
  /** Cloudflare's rate limiter against floods; exact limits are counted in D1. */
  FLOOD?: RateLimit
  /** Cloudflare's mail binding, or `RESEND_API_KEY`: one of the two in production. */
  SEND_EMAIL?: SendEmail
  RESEND_API_KEY?: string
  APP_ENV?: string
  /** The site's own origin, for the links in mails and the check of `Origin`. */
  PUBLIC_ORIGIN: string
  /** Further origins, separated by spaces or commas, that may call the API from a browser. */
  ALLOWED_ORIGINS?: string
  MAIL_FROM?: string
  /** Where market data comes from, in the shapes of CoinGecko's API v3: `https://api.coingecko.com/api/v3`. Without it a bundled sample is served. */
  MARKET_BASE_URL?: string
  /** CoinGecko's key, where the address takes one. */
  MARKET_API_KEY?: string
  /** Hosts that pictures of coins are taken from, separated by spaces or commas; CoinGecko's unless given. */
  MARKET_PICTURE_HOSTS?: string
  /** Whose daily bars are kept beside the simulated market's: `kraken` or `coinbase`, on which strategies on real coins then trade on paper. `simulated`, or nothing, keeps no others. */
  CANDLES_PROVIDER?: string
  /** Where they come from, if not from the provider's own public address. */
  CANDLES_BASE_URL?: string
  /** Where failed sign-ins and operators' acts are sent, as a `destination_conf` of Cloudflare Logpush for HTTPS. Nothing: nowhere. */
  LOG_DESTINATION?: string
  /** The value of `Authorization` for it. */
  LOG_DESTINATION_AUTHORIZATION?: string
  /** An address outside that the head of the audit log is mailed to each day. */
  AUDIT_WITNESS_ADDRESS?: string
  /** `off` for load tests; ignored outside development. */
  RATE_LIMITS?: string
  /** Wrapping keys: `1:<base64 of 32 bytes>,2:…`. Links that unsubscribe are signed under them too: an old one stays. */
  VAULT_KEYS: string
  /**
   * A public key of `age` whose private one is kept offline: documents that browsers encrypt open with it too. Needed once
   * a reviewer has a key.
   */
  KYC_RECOVERY_RECIPIENT?: string
}

export function isDevelopment(env: Env): boolean {
  return env.APP_ENV === 'development'
}

export function limitsApply(env: Env): boolean {
  return !(isDevelopment(env) && env.RATE_LIMITS === 'off')
}

/** Whether investors' real money moves: live mode, outside development. */
export function isMoneyReal(env: Env, mode: Site['mode'] = site.mode): boolean {
  return mode === 'live' && !isDevelopment(env)
}
