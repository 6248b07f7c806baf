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

/** The text in a simulated wallet's picture: nobody may be led to pay to it. */
const SEND_NOTHING = 'Simulated. Send nothing.'

/** The QR picture of an active wallet, as SVG. Public, because an `<img>` carries no bearer. 404 once it is retired. */
export async function walletPicture(call: Call): Promise<Response> {
  const [wallet] = await call.db
    .select({ address: wallets.address, simulated: wallets.simulated })
    .from(wallets)
    .where(and(eq(wallets.id, call.params.id ?? ''), isNull(wallets.retiredAt)))
  if (wallet === undefined) refuse('not_found')
  return new Response(pictureOf(wallet), {
    headers: {
      'Content-Type': 'image/svg+xml',
      // Minutes only: a wallet that is retired must vanish from screens soon.
      'Cache-Control': 'private, max-age=300',
      'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'X-Content-Type-Options': 'nosniff',
    },
  })
}

/** Where a wallet's picture is, on the API's host. */
export function picturePath(walletId: string): string {
  return `/api/v1/wallets/${walletId}/qr.svg`
}

/** A QR code of the address with the quiet zone of four modules that scanners need (ISO/IEC 18004). */
export function pictureOf(wallet: { address: string; simulated: boolean }): string {
  return renderSVG(wallet.simulated ? SEND_NOTHING : wallet.address, { ecc: 'M', border: 4 })
}

/**
 * SQL: wallets that investors are sent to: those in use and, once money is real, none that was simulated, since nobody
 * checked its address for real money.
 */
export function isOffered(mode: Site['mode'] = site.mode): SQL {
  return mode === 'live' ? sql`retired_at IS NULL AND simulated = 0` : sql`retired_at IS NULL`
}
