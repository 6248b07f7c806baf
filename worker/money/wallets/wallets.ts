import { and, desc, eq, isNull, lt, type SQL, sql } from 'drizzle-orm'
import { renderSVG } from 'uqr'
import type { Wallet } from '../../../src/contract/money/wallets.ts'
import { type Site, site } from '../../../src/site.ts'
import { type ActorCall, type Answer, type Call, type CheckedCall, ok } from '../../http/call.ts'
import { openCursor, pageOf } from '../../http/paging.ts'
import { refuse } from '../../lib/errors.ts'
import { wallets } from '../../lib/tables/requests.ts'

/** The wallets that deposits may be sent to, newest first. */
export async function listWallets(
  call: CheckedCall<unknown, { limit: number; cursor?: string | undefined }> & ActorCall,
): Promise<Answer<Wallet[]>> {
  const { limit, cursor } = call.query
  const after = openCursor(cursor)
  const found = await call.db
    .select()
    .from(wallets)
    .where(and(isOffered(), after === null ? undefined : lt(wallets.seq, after.seq)))
    .orderBy(desc(wallets.seq))
    .limit(limit + 1)
  const { rows, headers } = pageOf(call, found, limit, ({ seq }) => ({ at: 0, seq }))
  return ok(
    rows.map((row) => ({
      _id: row.id,
      walletName: row.coin,
      type: row.coin,
      network: row.network,
      address: row.address,
      image: picturePath(row.id),
      simulated: row.simulated,
    })),
    headers,
  )
}

/** The text in a simulated wallet's QR code, so that nobody pays to it. */
const SEND_NOTHING = 'Simulated. Send nothing.'

/** The QR code of an active wallet, as SVG. Public, because an `<img>` sends no bearer token. 404 once it is retired. */
export async function walletPicture(call: Call): Promise<Response> {
  const [wallet] = await call.db
    .select({ address: wallets.address, simulated: wallets.simulated })
    .from(wallets)
    .where(and(eq(wallets.id, call.params.id ?? ''), isNull(wallets.retiredAt)))
  if (wallet === undefined) refuse('not_found')
  return new Response(pictureOf(wallet), {
    headers: {
      'Content-Type': 'image/svg+xml',
      // Minutes only: a retired wallet must soon disappear from screens.
      'Cache-Control': 'private, max-age=300',
      'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'X-Content-Type-Options': 'nosniff',
    },
  })
}

/** The path of a wallet's QR code on the API's host. */
export function picturePath(walletId: string): string {
  return `/api/v1/wallets/${walletId}/qr.svg`
}

/** A QR code of the address with the quiet zone of four modules that scanners need (ISO/IEC 18004). */
export function pictureOf(wallet: { address: string; simulated: boolean }): string {
  return renderSVG(wallet.simulated ? SEND_NOTHING : wallet.address, { ecc: 'M', border: 4 })
}

/**
 * SQL: wallets offered to investors: active ones and, in live mode, no simulated ones, because nobody checked their addresses
 * for real money.
 */
export function isOffered(mode: Site['mode'] = site.mode): SQL {
  return mode === 'live' ? sql`retired_at IS NULL AND simulated = 0` : sql`retired_at IS NULL`
}
