import { and, eq, isNull } from 'drizzle-orm'
import { renderSVG } from 'uqr'
import type { Call } from '../../http/call.ts'
import { refuse } from '../../lib/errors.ts'
import { wallets } from '../../lib/tables/requests.ts'

/** What the picture of a simulated wallet holds in the address's place: nobody may be led to pay to it. */
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
