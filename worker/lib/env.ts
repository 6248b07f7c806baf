import { type Site, site } from '../../src/site.ts'

/** The Worker's environment: bindings of wrangler.toml, variables and secrets. */
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
  /**
   * The address of market data, in the format of CoinGecko's API v3: `https://api.coingecko.com/api/v3`. Without it a bundled
   * sample is served.
   */
  MARKET_BASE_URL?: string
  /** CoinGecko's key, if the address needs one. */
  MARKET_API_KEY?: string
  /** Hosts that pictures of coins may come from, separated by spaces or commas. CoinGecko's by default. */
  MARKET_PICTURE_HOSTS?: string
  /**
   * The provider whose daily bars are stored besides the simulated market's: `kraken` or `coinbase`. Strategies on real coins
   * then trade on them on paper. With `simulated`, or if empty, only the simulated market is stored.
   */
  CANDLES_PROVIDER?: string
  /** The address of the bars, if not the provider's own public one. */
  CANDLES_BASE_URL?: string
  /**
   * The exchange where strategies trade with money: `kraken` or `coinbase`, the same that the daily bars come from. Empty: strategies
   * trade on paper.
   */
  VENUE?: string
  /** The exchange's address, if not its own. */
  VENUE_BASE_URL?: string
  /** A key that may trade and not withdraw, and its secret. */
  VENUE_KEY?: string
  VENUE_SECRET?: string
  /** The one sender of an account at an exchange. */
  VENUE_ACCOUNT?: { getByName(name: string): { work(): Promise<void> } }
  /** The key in the bucket of a sanctions list in the format of OFAC's SDN.XML. Empty: cases are not screened. */
  SCREENING_LIST?: string
  /** An outside address that gets the head of the audit log by mail each day. */
  AUDIT_WITNESS_ADDRESS?: string
  /** Two Esplora servers, separated by a space: they make deposits on Bitcoin provable. Empty: wallets of Bitcoin stay manual. */
  BITCOIN_SERVERS?: string
  /** `mainnet`, or `regtest` in development. */
  BITCOIN_NETWORK?: string
  /** `height:hash` of a block whose height is a multiple of 2,016. Headers are checked from it on. Default: a built-in one. */
  BITCOIN_CHECKPOINT?: string
  /** Two JSON-RPC servers, separated by a space: they make deposits on Ethereum provable. Empty: they stay manual. */
  ETHEREUM_SERVERS?: string
  /** The chain that both must serve. Default 1. */
  ETHEREUM_CHAIN_ID?: string
  /** The contracts of the tokens that are taken: `usdt:0x… usdc:0x…`. Default on the main network: those of Tether and Circle. */
  ETHEREUM_TOKENS?: string
  /** `off` for load tests; ignored outside development. */
  RATE_LIMITS?: string
  /** Wrapping keys: `1:<base64 of 32 bytes>,2:…`. They also sign unsubscribe links, so old ones stay. */
  VAULT_KEYS: string
  /**
   * An `age` public key whose private key is offline. It also opens every document that a browser encrypts. Required once a
   * reviewer has a key.
   */
  KYC_RECOVERY_RECIPIENT?: string
}

export function isDevelopment(env: Env): boolean {
  return env.APP_ENV === 'development'
}

export function hasRateLimits(env: Env): boolean {
  return !(isDevelopment(env) && env.RATE_LIMITS === 'off')
}

/** Whether real money moves: live mode, outside development. */
export function isMoneyReal(env: Env, mode: Site['mode'] = site.mode): boolean {
  return mode === 'live' && !isDevelopment(env)
}
